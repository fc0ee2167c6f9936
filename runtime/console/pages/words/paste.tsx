/** Many entries at once, one a line. */
import { useSignal } from "@preact/signals";
import { Dialog } from "../../parts/dialog.js";
import { wordsTexts } from "./texts.js";

export function Paste({
	onText,
	onClose,
}: {
	readonly onText: (text: string) => void;
	readonly onClose: () => void;
}) {
	const m = wordsTexts();
	const text = useSignal("");
	return (
		<Dialog title={m.paste} onClose={onClose}>
			<label class="field">
				<span>{m.pasteHint}</span>
				<textarea
					rows={10}
					value={text.value}
					onInput={(event) => {
						text.value = event.currentTarget.value;
					}}
				/>
			</label>
			<button
				type="button"
				class="button is-main"
				onClick={() => {
					onText(text.value);
					onClose();
				}}
			>
				{m.add}
			</button>
		</Dialog>
	);
}
