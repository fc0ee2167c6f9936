/**
 * Several copies of a recognizer at work on one file, on speech that is only a number: who hears what, and that nobody is asked for two things at once.
 */
import t from "tap";
import {
	type Asker,
	type PooledRecognizer,
	RecognizerPool,
} from "../../runtime/engine/child/pool/recognizer-pool.js";
import type {
	Hypothesis,
	SegmentRequest,
	SpeechRecognizer,
} from "../../runtime/models/recognizer.js";
import { whisperCapabilities } from "../../runtime/models/whisper/recognizer.js";
import { randomOf } from "../session/rehearsal.js";

type Result = Hypothesis | "cancelled";

/** A segment whose text is its length. */
function segment(samples: number): SegmentRequest {
	return {
		samples: new Float32Array(samples),
		language: "en-US",
		beam: 1,
		punctuation: false,
		words: false,
	};
}

function heard({ samples }: SegmentRequest): Hypothesis {
	const text = `${samples.length}`;
	return { text, tokens: [], confidence: 1, words: [], guards: [] };
}

function textsOf(results: readonly Result[]): string[] {
	return results.map((it) => (it === "cancelled" ? it : it.text));
}

/** A copy that answers when it is told to. */
class SlowCopy implements PooledRecognizer {
	readonly batchesMax = 1;
	readonly batches: (readonly SegmentRequest[])[] = [];
	closed = false;
	isGone = false;
	#release: (() => void) | undefined;

	get busy(): boolean {
		return this.#release !== undefined;
	}

	async recognizeAll(requests: readonly SegmentRequest[]): Promise<Result[]> {
		if (this.busy) throw new Error("asked for two things at once");
		this.batches.push(requests);
		await new Promise<void>((resolve) => {
			this.#release = resolve;
		});
		if (requests.some((it) => it.samples.length === 13))
			throw new Error("thirteen");
		return requests.map(heard);
	}

	release(): void {
		const release = this.#release;
		this.#release = undefined;
		release?.();
	}

	async close(): Promise<void> {
		this.closed = true;
	}
}

function ownOf(copy: SlowCopy, batchMax: number): SpeechRecognizer {
	return {
		name: "planned",
		languages: ["en-US"],
		capabilities: whisperCapabilities,
		recognize: async () => "cancelled",
		nextBatch: (waiting) => waiting.slice(0, batchMax),
		recognizeAll: (requests) => copy.recognizeAll(requests),
		close: () => copy.close(),
	};
}

function poolOf(own: SlowCopy, other: SlowCopy): RecognizerPool {
	const pool = new RecognizerPool(ownOf(own, 1));
	pool.join(other);
	return pool;
}

const nobody: Asker = { onBegin() {} };

function hearAll(pool: RecognizerPool, requests: readonly SegmentRequest[]) {
	return Promise.all(requests.map((it) => pool.hear(it, nobody)));
}

/** Lets the copies answer in any order until all is heard. */
async function until<T>(
	work: Promise<T>,
	copies: readonly SlowCopy[],
	random: () => number,
): Promise<T> {
	let over = false;
	const done = work.finally(() => {
		over = true;
	});
	done.catch(() => {});
	while (!over) {
		const busy = copies.filter((it) => it.busy);
		busy[Math.floor(random() * busy.length)]?.release();
		await new Promise((resolve) => setImmediate(resolve));
	}
	return done;
}

t.test("each segment is heard once, and answered in its place", async (t) => {
	const seed = Date.now() % 2 ** 31;
	t.comment(`seed ${seed}`);
	const random = randomOf(seed);
	for (let round = 0; round < 50; round++) {
		const copies = Array.from(
			{ length: 1 + Math.floor(random() * 3) },
			() => new SlowCopy(),
		);
		const [own, ...others] = copies as [SlowCopy, ...SlowCopy[]];
		const pool = new RecognizerPool(ownOf(own, 1 + Math.floor(random() * 4)));
		for (const other of others)
			if (random() < 0.5) pool.join(other);
			else setImmediate(() => pool.join(other));
		// two files at once
		const asked = [0, 1].map((file) =>
			Array.from({ length: Math.floor(random() * 12) }, (_, i) =>
				segment(100 * (file + 1) + i),
			),
		);
		const found = await until(
			Promise.all(asked.map((it) => hearAll(pool, it))),
			copies,
			random,
		);
		t.same(
			found.map(textsOf),
			asked.map((requests) => requests.map((it) => `${it.samples.length}`)),
		);
		const all = copies.flatMap(({ batches }) => batches.flat());
		t.equal(all.length, asked.flat().length);
	}
});

t.test("whoever is free takes the next batch", async (t) => {
	const [own, other] = [new SlowCopy(), new SlowCopy()];
	const pool = poolOf(own, other);
	const work = hearAll(pool, [1, 2, 3, 4].map(segment));
	const turn = () => new Promise((resolve) => setImmediate(resolve));
	await turn();
	t.ok(own.busy && other.busy);
	for (let i = 0; i < 2; i++) {
		other.release();
		await turn();
	}
	t.equal(other.batches.length, 3, "the other one is still at its first");
	t.equal(own.batches.length, 1);
	await until(work, [own, other], () => 0);
});

t.test("what fails fails whoever asked for it, and nobody else", async (t) => {
	const [own, other] = [new SlowCopy(), new SlowCopy()];
	const pool = poolOf(own, other);
	const bad = hearAll(pool, [1, 13, 2].map(segment));
	const good = hearAll(pool, [3, 4].map(segment));
	bad.catch(() => {});
	const both = Promise.allSettled([bad, good]);
	await until(both, [own, other], () => 0);
	await t.rejects(bad, { message: "thirteen" });
	t.same(textsOf(await good), ["3", "4"]);
	t.same(
		textsOf(await until(hearAll(pool, [segment(5)]), [own, other], () => 0)),
		["5"],
	);
	await pool.close();
	t.ok(other.closed);
	t.notOk(own.closed, "whoever opened it closes it");
});

t.test("a copy that dies is asked for nothing more", async (t) => {
	const [own, other] = [new SlowCopy(), new SlowCopy()];
	const pool = poolOf(own, other);
	t.equal(pool.others, 1);
	const bad = hearAll(pool, [segment(13)]);
	bad.catch(() => {});
	await new Promise((resolve) => setImmediate(resolve));
	t.ok(other.busy);
	other.isGone = true;
	other.release();
	await t.rejects(bad, { message: "thirteen" });
	t.equal(pool.others, 0);
	const results = hearAll(pool, [1, 2].map(segment));
	t.same(textsOf(await until(results, [own], () => 0)), ["1", "2"]);
	t.equal(other.batches.length, 1);
	const next = new SlowCopy();
	pool.join(next);
	next.isGone = true; // at rest
	const more = hearAll(pool, [3, 4].map(segment));
	t.same(textsOf(await until(more, [own], () => 0)), ["3", "4"]);
});
