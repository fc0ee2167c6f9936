/**
 * Several segments' searches in step: each asks for its next step as if it were alone, and when all have asked, the decoder runs once for all of them. Reading
 * the weights is most of what a step costs, so this is cheap. A search that has ended leaves; the others go on without it.
 *
 * INVARIANTS
 * - All begin together and ask for equally many tokens and the same positions: their pasts are equally long.
 * - Rows of a segment lie together, as many for each segment: who asks for fewer gets copies of its first row.
 * - A segment's place in the cache moves only while all that are still here wait for a step.
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
	/** By place. */
	#members: Member[];
	#past: Record<string, Tensor>;
	/** Of each segment in the step before. */
	#pastRows = 1;
	#begun = false;

	/** @param count segments in the cache, from its first place on. */
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

	/** What a segment's decoder looks at; holds until its next step. */
	crossOf(member: Member): CrossTensors {
		return this.#crossCache.read(member.place, 1);
	}

	/** The last one takes its place: who stays lies without gaps, and nobody else's sound has to be moved. */
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

	async #run(waiting: readonly Waiting[], rows: number) {
		const [first] = waiting;
		assert(first, "nobody is here");
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
		this.#pack();
		const { past, output } = await this.#decoder.step(
			this.#crossCache.read(0, waiting.length),
			this.#past,
			{ tokens, parents, positions, bias, extraIds },
		);
		this.#disposePast();
		this.#past = past;
		this.#pastRows = rows;
		this.#begun = true;
		return output;
	}

	/** Segments lie in the cache without gaps, in the members' order. */
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
	/** On the shelf, and among the rows of the step before. */
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
		assert(waiting, "nobody waits");
		this.#waiting = undefined;
		return waiting;
	}

	step(request: StepRequest): Promise<StepOutput> {
		return new Promise((resolve, reject) => {
			this.#waiting = { request, resolve, reject };
			this.#batch.stepIfAllWait();
		});
	}

	/** Its search is over; what it looked at is still needed: see `leave`. */
	close(): void {}

	leave(): void {
		this.#batch.leave(this);
	}
}

/** Ids asked for at each position. */
function extraOf({ extraIds = [], parents }: StepRequest, scored: number) {
	return extraIds.length / (parents.length * scored);
}

/** What one segment asked for. */
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
