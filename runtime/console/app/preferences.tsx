/** What this browser prefers, and the way out. */
import { useSignal } from "@preact/signals";
import { SelectField } from "../parts/fields.js";
import { Menu } from "../parts/menu.js";
import { Problem, reasonOf } from "../parts/notice.js";
import { PageLanguage } from "../parts/page-language.js";
import { common } from "../texts/common.js";
import { session, signOut } from "./session.js";
import { type Theme, theme } from "./theme.js";

export function Preferences() {
	const m = common();
	const wrong = useSignal("");
	const leave = async () => {
		wrong.value = "";
		await signOut().catch((thrown: unknown) => {
			wrong.value = reasonOf(thrown);
		});
	};
	const themes: readonly (readonly [Theme, string])[] = [
		["system", m.themeSystem],
		["light", m.themeLight],
		["dark", m.themeDark],
	];
	return (
		<Menu label={m.settings} icon="settings">
			<PageLanguage label={m.language} />
			<SelectField
				label={m.theme}
				value={theme.value}
				options={themes}
				onChoose={(chosen) => {
					theme.value = chosen;
				}}
			/>
			{session.value?.signed_in && (
				<button type="button" class="button" onClick={() => void leave()}>
					{m.signOut}
				</button>
			)}
			{wrong.value && <Problem>{wrong.value}</Problem>}
		</Menu>
	);
}
