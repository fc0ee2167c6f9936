/** The entries of a list, each in a field of its own, with the device's complaint beside it. */
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { TextField } from "../../parts/fields.js";
import { Icon } from "../../parts/icon.js";
import { languageName, tagOf } from "../../parts/options-texts.js";
import { common } from "../../texts/common.js";
import { number } from "../../texts/texts.js";
import { wordsTexts } from "./texts.js";

const shownMax = 200;

export function Entries({
	language,
	entries,
	refused,
	onChange,
}: {
	readonly language: string;
	readonly entries: readonly string[];
	/** Those that are not in the list of the device, and why not. */
	readonly refused: ReadonlyMap<string, string>;
	readonly onChange: (entries: readonly string[]) => void;
}) {
	const m = wordsTexts();
	const filter = useSignal("");
	const wanted = filter.value.toLowerCase();
	const typed = useTyped(entries, wanted);
	const rows = entries
		.map((entry, at) => ({ entry, at }))
		.filter(
			({ entry, at }) =>
				entry === "" || // one to be filled in
				typed.has(at) ||
				entry.toLowerCase().includes(wanted),
		);
	return (
		<>
			<TextField label={m.filter} text={filter} type="search" />
			<p class="small">
				{languageName(language)} ·{" "}
				{m.entries(entries.filter((it) => !refused.has(it)).length)}
			</p>
			<ul class="entries">
				{rows.slice(0, shownMax).map(({ entry, at }) => {
					const complaint = refused.get(entry);
					const isRefused = complaint !== undefined;
					return (
						<li key={at}>
							<div class="row">
								<input
									class="grow"
									value={entry}
									lang={tagOf(language)}
									aria-label={m.entryN(at + 1)}
									aria-invalid={isRefused}
									aria-describedby={isRefused ? `refused-${at}` : undefined}
									onInput={(event) => {
										const { value } = event.currentTarget;
										onChange(typed.into(entries.with(at, value), at));
									}}
								/>
								<button
									type="button"
									class="icon-button"
									aria-label={m.removeEntry(entry)}
									title={common().remove}
									onClick={() => onChange(entries.toSpliced(at, 1))}
								>
									<Icon name="trash" />
								</button>
							</div>
							{isRefused && (
								<small class="complaint" id={`refused-${at}`}>
									{complaint}
								</small>
							)}
						</li>
					);
				})}
			</ul>
			{rows.length > shownMax && (
				<p class="small">{m.shown(number(shownMax), number(rows.length))}</p>
			)}
		</>
	);
}

/** The rows in which somebody has typed since the list was filtered: each stays while it is corrected, whatever is in it for the moment. */
function useTyped(entries: readonly string[], wanted: string) {
	const rows = useRef({ entries, wanted, at: new Set<number>() });
	const { current } = rows;
	// another list, or another order of it: the numbers of its rows mean others
	if (current.entries !== entries || current.wanted !== wanted)
		rows.current = { entries, wanted, at: new Set() };
	return {
		has: (at: number) => rows.current.at.has(at),
		into(next: readonly string[], at: number): readonly string[] {
			rows.current = { ...rows.current, entries: next };
			rows.current.at.add(at);
			return next;
		},
	};
}
