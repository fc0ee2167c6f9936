/** A dialog with one thing to do: what it needs, the reason if it could not be done, and the way out. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { common } from "../texts/common.js";
import { Dialog } from "./dialog.js";
import { Problem, reasonOf } from "./notice.js";

export function FormDialog({
	title,
	action,
	isDanger = false,
	act,
	onClose,
	children,
}: {
	readonly title: string;
	/** Written on the button that does it. */
	readonly action: string;
	/** It can't be undone. */
	readonly isDanger?: boolean;
	/** Closes the dialog, or shows something else. */
	readonly act: () => Promise<unknown>;
	readonly onClose: () => void;
	readonly children: ComponentChildren;
}) {
	const wrong = useSignal("");
	const busy = useSignal(false);
	const run = async () => {
		if (busy.value) return; // pressed twice, it is done once
		busy.value = true;
		wrong.value = "";
		try {
			await act();
		} catch (thrown) {
			wrong.value = reasonOf(thrown);
		}
		busy.value = false;
	};
	return (
		<Dialog title={title} onClose={onClose}>
			<form
				class="stack"
				onSubmit={(event) => {
					event.preventDefault();
					void run();
				}}
			>
				{children}
				{wrong.value && <Problem>{wrong.value}</Problem>}
				<div class="row">
					<button
						type="submit"
						class={isDanger ? "button is-danger" : "button is-main"}
						aria-disabled={busy.value}
					>
						{action}
					</button>
					<button type="button" class="button" onClick={onClose}>
						{common().cancel}
					</button>
				</div>
			</form>
		</Dialog>
	);
}
