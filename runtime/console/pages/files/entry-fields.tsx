/** The columns of an entry, each in a field; a Japanese hotword has two beside its writing: how it is read, and what it is. */
import type { Signal } from "@preact/signals";

/** Allowed unless `hotwords.categories` says otherwise; the device refuses one that is not. */
export const usualCategory = "固有名詞";

const kanaOnly = /^[ぁ-ゖァ-ヺー・]+$/u;

/** A word in kana is its own reading. */
export function readingOf(writing: string): string {
	return kanaOnly.test(writing) ? writing : "";
}

export interface Column {
	readonly label: string;
	readonly value: Signal<string>;
}

/** @param lang of what is typed */
export function EntryFields({
	columns,
	lang,
}: {
	readonly columns: readonly Column[];
	readonly lang: string;
}) {
	return (
		<div class="row">
			{columns.map(({ label, value }) => (
				<label key={label} class="field grow">
					<span>{label}</span>
					<input
						lang={lang}
						value={value.value}
						onInput={(event) => {
							value.value = event.currentTarget.value;
						}}
					/>
				</label>
			))}
		</div>
	);
}
