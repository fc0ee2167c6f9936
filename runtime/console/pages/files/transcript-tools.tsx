/** What is done with a transcript as a whole: searched, undone, saved as a file, printed. */
import { apiUrl } from "../../app/api.js";
import { withoutEnding } from "../../audio/formats.js";
import { Icon } from "../../parts/icon.js";
import { filesTexts } from "./texts.js";
import type { Transcript } from "./transcript.js";

const formats = ["txt", "srt", "vtt", "json"];

export function Tools({
	transcript,
	search,
	found,
	count,
}: {
	readonly transcript: Transcript;
	readonly search: { value: string };
	/** How often that is in the text; undefined: nothing is searched for. */
	readonly found: number | undefined;
	readonly count: number;
}) {
	const m = filesTexts();
	return (
		<>
			<div class="row">
				<input
					class="search"
					type="search"
					placeholder={m.search}
					aria-label={m.search}
					value={search.value}
					onInput={(event) => {
						search.value = event.currentTarget.value;
					}}
				/>
				<span class="small" role="status">
					{found !== undefined && m.found(found)}
				</span>
				<button
					type="button"
					class="icon-button"
					aria-label={m.undo}
					title={m.undo}
					disabled={transcript.done.value.length === 0}
					onClick={() => transcript.undo()}
				>
					<Icon name="undo" />
				</button>
				<button
					type="button"
					class="icon-button"
					aria-label={m.redo}
					title={m.redo}
					disabled={transcript.undone.value.length === 0}
					onClick={() => transcript.redo()}
				>
					<Icon name="redo" />
				</button>
				<span class="grow" />
				{count > 0 && <Export transcript={transcript} />}
			</div>
			<small>{m.keys}</small>
		</>
	);
}

function Export({
	transcript: { name, edits, id },
}: {
	readonly transcript: Transcript;
}) {
	const m = filesTexts();
	const fileName = withoutEnding(name.value);
	// the device makes the file: what is on its way there comes first
	const saveFirst = (event: MouseEvent) => {
		if (edits.saving.value !== "saving") return;
		event.preventDefault();
		const link = event.currentTarget as HTMLAnchorElement;
		void edits.flush().then(() => link.click());
	};
	return (
		<span class="row" role="group" aria-label={m.export}>
			<Icon name="download" />
			{formats.map((format) => (
				<a
					key={format}
					class="button is-small"
					download={`${fileName}.${format}`}
					href={apiUrl("v1/asrfile/result", { task_id: id, format })}
					onClick={saveFirst}
				>
					{format}
				</a>
			))}
			<button
				type="button"
				class="icon-button"
				aria-label={m.print}
				title={m.print}
				onClick={() => print()}
			>
				<Icon name="print" />
			</button>
		</span>
	);
}
