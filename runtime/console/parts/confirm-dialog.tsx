/** Asks before what can't be undone. */
import { FormDialog } from "./form-dialog.js";
import { Note } from "./notice.js";

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
	return (
		<FormDialog
			title={title}
			action={action}
			isDanger
			act={async () => {
				await act();
				onClose();
			}}
			onClose={onClose}
		>
			<p class="dialog-text">{text}</p>
			{note && <Note>{note}</Note>}
		</FormDialog>
	);
}
