import { useSignal } from "@preact/signals";
import { common } from "../texts/common.js";
import { Icon } from "./icon.js";

const shownMs = 2000;

/** @param text made when it is wanted. */
export function CopyButton({
	text,
	label,
}: {
	readonly text: () => string;
	readonly label?: string;
}) {
	const m = common();
	const done = useSignal(false);
	const copy = async () => {
		try {
			await copyText(text());
		} catch {
			return; // the text stands beside the button, to be copied by hand
		}
		done.value = true;
		setTimeout(() => {
			done.value = false;
		}, shownMs);
	};
	return (
		<button type="button" class="button" onClick={() => void copy()}>
			<Icon name={done.value ? "check" : "copy"} />
			<span aria-live="polite">
				{done.value ? m.copied : (label ?? m.copy)}
			</span>
		</button>
	);
}

/** Over plain HTTP browsers have no clipboard for pages, only the old command. @throws where nothing was copied */
async function copyText(text: string): Promise<void> {
	if (navigator.clipboard) return navigator.clipboard.writeText(text);
	const focused = document.activeElement;
	const area = document.createElement("textarea");
	area.value = text;
	// nothing outside a modal dialog can be selected
	(document.querySelector("dialog[open]") ?? document.body).append(area);
	area.select();
	const isCopied = document.execCommand("copy");
	area.remove();
	if (focused instanceof HTMLElement) focused.focus();
	if (!isCopied) throw new Error("the browser copied nothing");
}
