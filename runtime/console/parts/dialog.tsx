/** A modal window, of the browser's own kind: focus stays inside, Escape closes it. A click beside it does not, since that could lose what was typed. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
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
	useEffect(() => {
		dialog.current?.showModal();
	}, []);
	return (
		<dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
			<header class="dialog-head">
				<h2 id={id}>{title}</h2>
				<button
					type="button"
					class="icon-button"
					aria-label={common().close}
					title={common().close}
					onClick={() => dialog.current?.close()}
				>
					<Icon name="close" />
				</button>
			</header>
			{children}
		</dialog>
	);
}
