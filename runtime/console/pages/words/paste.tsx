/** Many entries at once, one a line. */
import { useSignal } from "@preact/signals";
import { FormDialog } from "../../parts/form-dialog.js";
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
		<FormDialog
			title={m.paste}
			action={m.addAll}
			act={async () => {
				onText(text.value);
				onClose();
			}}
			onClose={onClose}
		>
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
		</FormDialog>
	);
}
