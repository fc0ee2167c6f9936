/** Text that may still change, of each microphone that is heard: people in several rooms speak at the same time. */
import { signal } from "@preact/signals";

export interface ShownPartial {
	/** As in the partial before. */
	readonly stable: string;
	readonly rest: string;
	readonly language: string;
	/** Of the device's microphone that hears it. */
	readonly room?: string;
}

/** The browser's own microphone, beside the ids of the device's. */
export const ofBrowser = "";

export const partials = signal<ReadonlyMap<string, ShownPartial>>(new Map());

/** @param partial undefined: the sentence is finished, or is not completed */
export function setPartial(
	microphone: string,
	partial: ShownPartial | undefined,
): void {
	const next = new Map(partials.value);
	if (partial) next.set(microphone, partial);
	else next.delete(microphone);
	partials.value = next;
}
