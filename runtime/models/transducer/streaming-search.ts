/** The beam search in the frames of a streaming transducer's encoder. */
import type { FrameSearch } from "../streaming/segment-stream.js";
import type { EncodedChunk } from "../streaming/stream-encoder.js";
import {
	advance,
	type BeamHypothesis,
	type BeamOptions,
	startOf,
} from "./beam.js";
import { JoinedRows } from "./joined-rows.js";
import type { Transducer } from "./transducer.js";

/** A token is emitted every two or three frames of speech. */
const framesAhead = 4;

export class TransducerSearch
	implements FrameSearch<readonly BeamHypothesis[]>
{
	readonly #transducer: Transducer;
	readonly #options: BeamOptions;
	readonly start: readonly BeamHypothesis[];

	constructor(transducer: Transducer, options: BeamOptions) {
		this.#transducer = transducer;
		this.#options = options;
		this.start = startOf(options.bias);
	}

	async advance(
		found: readonly BeamHypothesis[],
		{ frames, count }: EncodedChunk,
		first: number,
	): Promise<readonly BeamHypothesis[]> {
		const rows = new JoinedRows(this.#transducer, frames, count);
		let hypotheses = found;
		for (let i = 0; i < count; i++)
			hypotheses = advance(
				hypotheses,
				await logpsAt(i, rows, hypotheses, this.#transducer),
				first + i,
				this.#options,
			);
		return hypotheses;
	}
}

/** What both searches of a segment found. */
export interface PlainAndFavoured {
	readonly plain: readonly BeamHypothesis[];
	readonly favoured: readonly BeamHypothesis[];
}

/** The search without hotwords and the one that favours them, side by side: after the same tokens both read the same row of the joiner. */
export class FavouringSearch implements FrameSearch<PlainAndFavoured> {
	readonly #transducer: Transducer;
	readonly #plain: BeamOptions;
	readonly #favoured: BeamOptions;
	readonly start: PlainAndFavoured;

	constructor(transducer: Transducer, options: BeamOptions) {
		this.#transducer = transducer;
		this.#plain = { ...options, bias: undefined };
		this.#favoured = options;
		this.start = {
			plain: startOf(undefined),
			favoured: startOf(options.bias),
		};
	}

	async advance(
		found: PlainAndFavoured,
		{ frames, count }: EncodedChunk,
		first: number,
	): Promise<PlainAndFavoured> {
		const rows = new JoinedRows(this.#transducer, frames, count);
		let { plain, favoured } = found;
		for (let i = 0; i < count; i++) {
			const both = [...plain, ...favoured];
			const logps = await logpsAt(i, rows, both, this.#transducer);
			const own = logps.splice(0, plain.length);
			plain = advance(plain, own, first + i, this.#plain);
			favoured = advance(favoured, logps, first + i, this.#favoured);
		}
		return { plain, favoured };
	}
}

/** Of each hypothesis. Where rows are cheap, those of the next frames are computed too: most hypotheses emit nothing there. */
async function logpsAt(
	frame: number,
	rows: JoinedRows,
	hypotheses: readonly BeamHypothesis[],
	transducer: Transducer,
): Promise<Float32Array[]> {
	const contexts = await rows.after(
		hypotheses.map(({ last }) => transducer.contextAfter(last)),
	);
	const isMissing = contexts.some((it) => it.rows[frame] === -1);
	if (isMissing) {
		const ahead = transducer.joinsMany ? framesAhead : 1;
		const to = Math.min(rows.count, frame + ahead);
		for (const it of contexts) rows.want(it, frame, to);
		await rows.compute();
	}
	return contexts.map((it) => rows.row(it, frame));
}
