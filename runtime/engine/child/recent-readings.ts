/**
 * Remembers what was read last: while mixed speech is divided by how sure the model of each language is of its text (mixed-by-runs.ts), the same samples are asked
 * for in the same language again.
 */
import { createHash } from "node:crypto";
import type { Hypothesis, SegmentRequest } from "../../models/recognizer.js";
import type { RecognizeInOne } from "./mixed-by-runs.js";

/** A segment has at most 30 s, so hardly more spans than half of it. */
const readingsMax = 16;

export class RecentReadings {
	readonly #recognize: RecognizeInOne;
	/** The oldest first. */
	readonly #readings = new Map<string, Hypothesis>();

	constructor(recognize: RecognizeInOne) {
		this.#recognize = recognize;
	}

	async recognize(request: SegmentRequest): Promise<Hypothesis | "cancelled"> {
		const key = keyOf(request);
		const known = key && this.#readings.get(key);
		if (known) return known;
		const found = await this.#recognize(request);
		if (key && found !== "cancelled") this.#keep(key, found);
		return found;
	}

	#keep(key: string, reading: Hypothesis): void {
		this.#readings.set(key, reading);
		const [oldest = ""] = this.#readings.keys();
		if (this.#readings.size > readingsMax) this.#readings.delete(oldest);
	}
}

/** What decides the result. @returns undefined for a segment that grows: nobody asks for the same samples of it again. */
function keyOf(request: SegmentRequest): string | undefined {
	const { samples, hotwords, cancelled: _, segmentKey, ...options } = request;
	if (options.open || segmentKey) return undefined;
	const sound = createHash("sha256").update(samples).digest("base64");
	return JSON.stringify([
		sound,
		options,
		hotwords && [hotwords.list.key, hotwords.weight],
	]);
}
