/** A button that opens a small panel below it: closed by Escape, or by a click elsewhere. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon, type IconName } from "./icon.js";

export function Menu({
	label,
	icon,
	children,
}: {
	readonly label: string;
	readonly icon: IconName;
	readonly children: ComponentChildren;
}) {
	const open = useSignal(false);
	const whole = useRef<HTMLDivElement>(null);
	const button = useRef<HTMLButtonElement>(null);
	useEffect(() => {
		const outside = (event: Event) => {
			if (!whole.current?.contains(event.target as Node)) open.value = false;
		};
		document.addEventListener("pointerdown", outside);
		document.addEventListener("focusin", outside);
		return () => {
			document.removeEventListener("pointerdown", outside);
			document.removeEventListener("focusin", outside);
		};
	}, []);
	return (
		<div
			class="menu"
			ref={whole}
			onKeyDown={(event) => {
				if (event.key !== "Escape" || !open.value) return;
				open.value = false;
				button.current?.focus();
			}}
		>
			<button
				type="button"
				class="icon-button"
				ref={button}
				aria-expanded={open.value}
				aria-label={label}
				title={label}
				onClick={() => {
					open.value = !open.value;
				}}
			>
				<Icon name={icon} />
			</button>
			{open.value && <div class="menu-panel">{children}</div>}
		</div>
	);
}
