/** Paper shows the whole transcript, not only the rows that are near. */
import { signal } from "@preact/signals";
import { options } from "preact";

export const isPrinting = signal(false);

addEventListener("beforeprint", () => {
	// the browser takes its picture right after this: what is usually drawn a moment later is drawn at once
	const { debounceRendering } = options;
	options.debounceRendering = (draw) => draw();
	isPrinting.value = true;
	Object.assign(options, { debounceRendering });
});
addEventListener("afterprint", () => {
	isPrinting.value = false;
});
