/** Copies that join and answer in any order while two files are recognized. */
import assert from "node:assert/strict";
import { RecognizerPool } from "../../runtime/engine/child/pool/recognizer-pool.js";
import type { Property } from "../fuzz/property.js";
import { below } from "../fuzz/random.js";
import {
	ownOf,
	recognizeAll,
	SlowCopy,
	segment,
	textsOf,
	until,
} from "./slow-copies.js";

interface Case {
	/** Whether each further copy is there from the start. */
	readonly others: readonly boolean[];
	readonly batchMax: number;
	/** Segments of each. */
	readonly files: readonly number[];
	/** Which of the busy copies answers next; repeated when used up. */
	readonly answers: readonly number[];
}

export const eachIsRecognizedOnce = (): Property<Case> => ({
	name: "engine/pool",
	promise: "each segment is heard once, and answered in its place",
	draw: (random) => ({
		others: Array.from({ length: below(random, 3) }, () => random() < 0.5),
		batchMax: 1 + below(random, 4),
		files: [below(random, 12), below(random, 12)],
		answers: Array.from({ length: 20 }, random),
	}),
	async check({ others, batchMax, files, answers }) {
		const own = new SlowCopy();
		const pool = new RecognizerPool(ownOf(own, batchMax));
		const copies = [own, ...others.map(() => new SlowCopy())];
		for (const [i, isThere] of others.entries()) {
			const other = copies[i + 1] as SlowCopy;
			if (isThere) pool.join(other);
			else setImmediate(() => pool.join(other));
		}
		const requested = files.map((count, file) =>
			Array.from({ length: count }, (_, i) => segment(100 * (file + 1) + i)),
		);
		let answer = 0;
		const found = await until(
			Promise.all(requested.map((it) => recognizeAll(pool, it))),
			copies,
			() => answers[answer++ % answers.length] as number,
		);
		assert.deepEqual(
			found.map(textsOf),
			requested.map((requests) => requests.map((it) => `${it.samples.length}`)),
		);
		const recognized = copies.flatMap(({ batches }) => batches.flat());
		assert.equal(recognized.length, requested.flat().length);
	},
});
