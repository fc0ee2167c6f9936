/** How entries come into a list, one or many, and out of it. */
import { useSignal } from "@preact/signals";
import { apiUrl } from "../../app/api.js";
import { FileButton } from "../../parts/file-button.js";
import { Icon } from "../../parts/icon.js";
import { Problem, reasonOf } from "../../parts/notice.js";
import { entriesOfFile, entriesOfText } from "./entry-lines.js";
import { Paste } from "./paste.js";
import { type ListKind, wordsTexts } from "./texts.js";

export function EntryActions({
	kind,
	id,
	onAdd,
}: {
	readonly kind: ListKind;
	readonly id: string;
	/** "" is one to be filled in. */
	readonly onAdd: (entries: readonly string[]) => void;
}) {
	const m = wordsTexts();
	const isPasting = useSignal(false);
	const wrong = useSignal("");
	const importFile = async (file: File) => {
		try {
			const entries = await entriesOfFile(kind, file);
			wrong.value = entries ? "" : m.notUtf8;
			if (entries) onAdd(entries);
		} catch (thrown) {
			wrong.value = reasonOf(thrown);
		}
	};
	return (
		<>
			<div class="entry-actions">
				<button type="button" class="button" onClick={() => onAdd([""])}>
					<Icon name="plus" />
					{m.add}
				</button>
				<button
					type="button"
					class="button"
					onClick={() => {
						isPasting.value = true;
					}}
				>
					<Icon name="copy" />
					{m.paste}
				</button>
				<FileButton
					label={m.import}
					accept=".txt,.csv,text/plain"
					main={false}
					onFiles={([file]) => file && void importFile(file)}
				/>
				<a
					class="button"
					href={apiUrl(`v1/${kind}/download/${encodeURIComponent(id)}`)}
					download={`${id}.txt`}
				>
					<Icon name="download" />
					{m.export}
				</a>
			</div>
			{wrong.value && <Problem>{wrong.value}</Problem>}
			{isPasting.value && (
				<Paste
					onText={(text) => onAdd(entriesOfText(text))}
					onClose={() => {
						isPasting.value = false;
					}}
				/>
			)}
		</>
	);
}
