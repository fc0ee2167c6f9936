/** What this browser prefers, and the way out. */
import { Menu } from "../parts/menu.js";
import { PageLanguage } from "../parts/page-language.js";
import { common } from "../texts/common.js";
import { session, signOut } from "./session.js";
import { type Theme, theme } from "./theme.js";

export function Preferences() {
	const m = common();
	const themes: Readonly<Record<Theme, string>> = {
		system: m.themeSystem,
		light: m.themeLight,
		dark: m.themeDark,
	};
	return (
		<Menu label={m.settings} icon="settings">
			<PageLanguage label={m.language} />
			<label class="field">
				<span>{m.theme}</span>
				<select
					value={theme.value}
					onChange={(event) => {
						theme.value = event.currentTarget.value as Theme;
					}}
				>
					{Object.entries(themes).map(([value, label]) => (
						<option key={value} value={value}>
							{label}
						</option>
					))}
				</select>
			</label>
			{session.value?.signed_in && (
				<button type="button" class="button" onClick={() => void signOut()}>
					{m.signOut}
				</button>
			)}
		</Menu>
	);
}
