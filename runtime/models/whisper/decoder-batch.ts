/**
 * Runs the searches of several segments in lockstep: each requests its next step as if it were alone, and once all have done so, the decoder runs once for
 * all of them. Most of a step's cost is reading the weights, so this is cheap. A search that has ended leaves; the others continue without it.
 *
 * INVARIANTS
 * - All searches begin together and request the same number of tokens and the same positions, so their pasts have equal lengths.
 * - Rows of a segment are contiguous, and every segment has the same number of rows: a request for fewer is padded with copies of its first row.
 * - A segment's place in the cache changes only while all remaining members wait for a step.
 */
import assert from "node:assert";
import type { Tensor } from "../inference-port.js";
import type {
	CrossAttentionCache,
	CrossTensors,
} from "./cross-attention-cache.js";
import type {
	DecoderRun,
	StepOutput,
	StepRequest,
	WhisperDecoder,
} from "./decoder.js";
import { topCount } from "./graphs.js";

/** Steps of one segment. */
export type Steps = Pick<DecoderRun, "step" | "close">;

interface Waiting {
	readonly request: StepRequest;
	readonly resolve: (output: StepOutput) => void;
	readonly reject: (reason: unknown) => void;
}

export class DecoderBatch {
	readonly #decoder: WhisperDecoder;
	readonly #crossCache: CrossAttentionCache;
	/** In the order of their places. */
	#members: Member[];
	#past: Record<string, Tensor>;
	/** Rows per segment in the previous step. */
	#pastRows = 1;
	#begun = false;

	/** @param count number of segments in the cache, starting at place 0. */
	constructor(
		decoder: WhisperDecoder,
		crossCache: CrossAttentionCache,
		count: number,
	) {
		this.#decoder = decoder;
		this.#crossCache = crossCache;
		this.#members = Array.from(
			{ length: count },
			(_, place) => new Member(this, place),
		);
		this.#past = decoder.emptyPast();
	}

	get members(): readonly Member[] {
		return this.#members;
	}

	/** The cross-attention tensors of one segment; valid until its next step. */
	crossOf(member: Member): CrossTensors {
		return this.#crossCache.read(member.place, 1);
	}

	/** The last member takes the freed place: the places stay contiguous, and only one segment's tensors move. */
	leave(member: Member): void {
		const others = this.#members.slice(0, -1);
		const last = this.#members.at(-1) as Member;
		if (last !== member) others[this.#members.indexOf(member)] = last;
		this.#members = others;
		if (this.#members.length === 0) this.#disposePast();
		else this.stepIfAllWait();
	}

	stepIfAllWait(): void {
		if (this.#members.every((it) => it.waiting)) void this.#step();
	}

	async #step(): Promise<void> {
		const members = this.#members;
		const waiting = members.map((it) => it.takeWaiting());
		try {
			const rows = Math.max(
				...waiting.map(({ request }) => request.parents.length),
			);
			const output = await this.#run(waiting, rows);
			members.forEach((member, i) => {
				member.place = i;
			});
			waiting.forEach((one, i) => {
				one.resolve(shareOf(output, one.request, i, rows));
			});
		} catch (error) {
			for (const { reject } of waiting) reject(error);
		}
	}

	async #run(waiting: readonly Waiting[], rows: number): Promise<StepOutput> {
		const request = this.#joined(waiting, rows);
		this.#pack();
		const { past, output } = await this.#decoder.step(
			this.#crossCache.read(0, waiting.length),
			this.#past,
			request,
		);
		this.#disposePast();
		this.#past = past;
		this.#pastRows = rows;
		this.#begun = true;
		return output;
	}

	/** One request for all: [segments x rows, ...], its parents numbered in the step before. */
	#joined(waiting: readonly Waiting[], rows: number): StepRequest {
		const [first] = waiting;
		assert(first, "a batch without members");
		const { bias } = first.request;
		const newTokens =
			first.request.tokens.length / first.request.parents.length;
		const positions = first.request.positions ?? [newTokens - 1];
		const scored = positions.length;
		const extra = Math.max(
			...waiting.map(({ request }) => extraOf(request, scored)),
		);
		const all = rows * waiting.length;
		const tokens = new Int32Array(all * newTokens);
		const parents = new Int32Array(all);
		const extraIds = new Int32Array(all * scored * extra);
		const places = this.#members.map(({ place }) => place);
		waiting.forEach(({ request }, i) => {
			const own = request.parents.length;
			assert(request.tokens.length === own * newTokens, "out of step");
			const extraOwn = extraOf(request, scored);
			for (let row = 0; row < rows; row++) {
				const from = row < own ? row : 0;
				const to = i * rows + row;
				for (let k = 0; k < newTokens; k++)
					tokens[to * newTokens + k] = request.tokens[
						from * newTokens + k
					] as number;
				parents[to] = this.#begun
					? (places[i] as number) * this.#pastRows +
						(request.parents[from] as number)
					: 0;
				for (let k = 0; k < scored * extraOwn; k++) {
					const position = Math.floor(k / extraOwn);
					extraIds[(to * scored + position) * extra + (k % extraOwn)] = request
						.extraIds?.[from * scored * extraOwn + k] as number;
				}
			}
		});
		return { tokens, parents, positions, bias, extraIds };
	}

	/** Moves segments in the cache so that they are contiguous, in the members' order. */
	#pack(): void {
		this.#members.forEach((member, i) => {
			if (member.place !== i) this.#crossCache.move(member.place, i);
		});
	}

	#disposePast(): void {
		for (const name in this.#past) this.#past[name]?.dispose();
		this.#past = {};
	}
}

export class Member implements Steps {
	/** Index in the cache, and among the segments of the previous step. */
	place: number;
	readonly #batch: DecoderBatch;
	#waiting: Waiting | undefined;

	constructor(batch: DecoderBatch, place: number) {
		this.#batch = batch;
		this.place = place;
	}

	get waiting(): boolean {
		return this.#waiting !== undefined;
	}

	takeWaiting(): Waiting {
		const waiting = this.#waiting;
		assert(waiting, "no step is waiting");
		this.#waiting = undefined;
		return waiting;
	}

	step(request: StepRequest): Promise<StepOutput> {
		return new Promise((resolve, reject) => {
			this.#waiting = { request, resolve, reject };
			this.#batch.stepIfAllWait();
		});
	}

	/** Does nothing: the search is over, but its tensors are needed until `leave`. */
	close(): void {}

	leave(): void {
		this.#batch.leave(this);
	}
}

/** Number of extra ids per position. */
function extraOf({ extraIds = [], parents }: StepRequest, scored: number) {
	return extraIds.length / (parents.length * scored);
}

/** One segment's part of the batch's output. */
function shareOf(
	output: StepOutput,
	request: StepRequest,
	place: number,
	rows: number,
): StepOutput {
	const own = request.parents.length;
	const scored = request.positions?.length ?? 1;
	const width = scored * topCount;
	const from = place * rows;
	const to = from + own;
	const extra = extraOf(request, scored);
	const extraAll = output.extraLogp.length / (output.ids.length / topCount);
	const extraLogp = new Float32Array(own * scored * extra);
	for (let i = 0; i < own * scored; i++) {
		const at = (from * scored + i) * extraAll;
		extraLogp.set(output.extraLogp.subarray(at, at + extra), i * extra);
	}
	return {
		ids: output.ids.subarray(from * width, to * width),
		logp: output.logp.subarray(from * width, to * width),
		extraLogp,
		alignment: output.alignment,
	};
}
