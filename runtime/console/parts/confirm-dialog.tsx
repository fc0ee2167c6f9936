/** Asks before what can't be undone. */
import { useSignal } from "@preact/signals";
import { common } from "../texts/common.js";
import { Dialog } from "./dialog.js";
import { Note, Problem, reasonOf } from "./notice.js";

export function ConfirmDialog({
	title,
	text,
	note,
	action,
	act,
	onClose,
}: {
	readonly title: string;
	readonly text: string;
	/** What speaks against it. */
	readonly note?: string | undefined;
	readonly action: string;
	readonly act: () => Promise<unknown>;
	readonly onClose: () => void;
}) {
	const wrong = useSignal("");
	const busy = useSignal(false);
	const run = async () => {
		busy.value = true;
		try {
			await act();
			onClose();
		} catch (thrown) {
			wrong.value = reasonOf(thrown);
			busy.value = false;
		}
	};
	return (
		<Dialog title={title} onClose={onClose}>
			<p>{text}</p>
			{note && <Note>{note}</Note>}
			{wrong.value && <Problem>{wrong.value}</Problem>}
			<div class="row">
				<button
					type="button"
					class="button is-danger"
					disabled={busy.value}
					onClick={() => void run()}
				>
					{action}
				</button>
				<button type="button" class="button" onClick={onClose}>
					{common().cancel}
				</button>
			</div>
		</Dialog>
	);
}
