/**
 * Gives memory back when an engine has had no work for a while: what was needed for lists, long recordings and streams is freed by then, but still held by the
 * allocators. Done once per pause, because it takes some hundredths of a second.
 */
import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { trimMemory } from "../../../drivers/memory/trim.js";

/** Shorter pauses are those of a conversation. */
const quietMsDefault = 20_000;
const sweepMs = 500;

export class IdleMemory {
	readonly #release: () => unknown;
	readonly #quietMs: number;
	#timer: NodeJS.Timeout | undefined;
	#isReleased = false;

	constructor(
		release: () => unknown = releaseMemory,
		quietMs = quietMsDefault,
	) {
		this.#release = release;
		this.#quietMs = quietMs;
	}

	/** To be called at every begin and end of work. @param isBusy whether any is under way now. */
	changed(isBusy: boolean): void {
		clearTimeout(this.#timer);
		if (isBusy) {
			this.#isReleased = false;
			return;
		}
		if (this.#isReleased) return;
		this.#timer = setTimeout(() => {
			this.#isReleased = true;
			this.#release();
		}, this.#quietMs).unref();
	}
}

/** First what only the garbage collector knows to be free; it frees buffers in a thread of its own, a moment later. */
export async function releaseMemory(): Promise<void> {
	setFlagsFromString("--expose_gc");
	const collect = runInNewContext("gc") as () => void;
	collect();
	await pause(sweepMs);
	trimMemory();
}
