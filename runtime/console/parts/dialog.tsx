/** A modal window, of the browser's own kind: focus stays inside, Escape closes it. A click beside it does not, since that could lose what was typed. */
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { common } from "../texts/common.js";
import { Icon } from "./icon.js";

export function Dialog({
	title,
	children,
	onClose,
}: {
	readonly title: string;
	readonly children: ComponentChildren;
	readonly onClose: () => void;
}) {
	const dialog = useRef<HTMLDialogElement>(null);
	const id = useId();
	useLayoutEffect(() => {
		const shown = dialog.current;
		shown?.showModal();
		// what is to be typed, not the button that closes it
		shown?.querySelector<HTMLElement>("input, textarea, select")?.focus();
		return () => {
			// one that is only taken out of the document leaves the focus nowhere; closed, it gives it back to where it came from
			shown?.close();
			// which may be gone, as the row of a token that was revoked
			const { activeElement, body } = document;
			if (activeElement === body || shown?.contains(activeElement))
				shown?.closest("main")?.focus({ preventScroll: true });
		};
	}, []);
	return (
		<dialog
			ref={dialog}
			aria-labelledby={id}
			// closed by whoever shows it, as by its buttons: the focus is not back before they know, so that the next press opens it again
			onCancel={(event) => {
				if (event.target !== dialog.current) return; // of a file chooser in it
				event.preventDefault();
				onClose();
			}}
			// where a browser closes it all the same: the event comes a turn later, and another dialog may be there by then
			onClose={() => dialog.current && onClose()}
		>
			<header class="dialog-head">
				<h2 id={id}>{title}</h2>
				<button
					type="button"
					class="icon-button"
					aria-label={common().close}
					title={common().close}
					onClick={onClose}
				>
					<Icon name="close" />
				</button>
			</header>
			{children}
		</dialog>
	);
}
