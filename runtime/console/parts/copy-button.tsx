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
		await copyText(text());
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

/** Over plain HTTP browsers have no clipboard for pages, only the old command. */
export async function copyText(text: string): Promise<void> {
	if (navigator.clipboard) return navigator.clipboard.writeText(text);
	const area = document.createElement("textarea");
	area.value = text;
	document.body.append(area);
	area.select();
	document.execCommand("copy");
	area.remove();
}
