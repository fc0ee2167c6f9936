/** Copies of a recognizer that answer on command, with numbers as texts. */
import type {
	PoolClient,
	PooledRecognizer,
	RecognizerPool,
} from "../../runtime/engine/child/pool/recognizer-pool.js";
import type {
	Hypothesis,
	SegmentRequest,
	SpeechRecognizer,
} from "../../runtime/models/recognizer.js";
import { whisperCapabilities } from "../../runtime/models/whisper/recognizer.js";
import { madeHypothesis } from "../session/made-utterances.js";

type Result = Hypothesis | "cancelled";

/** A segment whose text is its length. */
export function segment(samples: number): SegmentRequest {
	return {
		samples: new Float32Array(samples),
		language: "en-US",
		beam: 1,
		punctuation: false,
		words: false,
	};
}

function hypothesisOf({ samples }: SegmentRequest): Hypothesis {
	return madeHypothesis(`${samples.length}`);
}

export function textsOf(results: readonly Result[]): string[] {
	return results.map((it) => (it === "cancelled" ? it : it.text));
}

/** A copy that answers on command. */
export class SlowCopy implements PooledRecognizer {
	readonly batchesMax = 1;
	readonly batches: (readonly SegmentRequest[])[] = [];
	closed = false;
	hasEnded = false;
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
		return requests.map(hypothesisOf);
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

export function ownOf(copy: SlowCopy, batchMax: number): SpeechRecognizer {
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

const nobody: PoolClient = { onBegin() {}, onOthersProgress() {} };

export function recognizeAll(
	pool: RecognizerPool,
	requests: readonly SegmentRequest[],
) {
	return Promise.all(requests.map((it) => pool.recognize(it, nobody)));
}

/** Lets the copies answer in any order until all requests are answered. */
export async function until<T>(
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
