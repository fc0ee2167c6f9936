/** Chooses the language of the console's pages, kept by the browser. */
import {
	chooseLanguage,
	language,
	languageNames,
	languages,
	languageTags,
} from "../texts/language.js";

export function PageLanguage({ label }: { readonly label: string }) {
	return (
		<label class="field">
			<span>{label}</span>
			<select
				value={language.value}
				onChange={(event) =>
					chooseLanguage(event.currentTarget.value as typeof language.value)
				}
			>
				{languages.map((it) => (
					<option key={it} value={it} lang={languageTags[it]}>
						{languageNames[it]}
					</option>
				))}
			</select>
		</label>
	);
}
