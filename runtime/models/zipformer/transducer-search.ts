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
				await this.#logpsAt(i, rows, hypotheses),
				first + i,
				this.#options,
			);
		return hypotheses;
	}

	/** Of each hypothesis. Where rows are cheap, those of the next frames are computed too: most hypotheses emit nothing there. */
	async #logpsAt(
		frame: number,
		rows: JoinedRows,
		hypotheses: readonly BeamHypothesis[],
	): Promise<Float32Array[]> {
		const contexts = await rows.after(
			hypotheses.map(({ last }) => this.#transducer.contextAfter(last)),
		);
		const isMissing = contexts.some((it) => it.rows[frame] === -1);
		if (isMissing) {
			const ahead = this.#transducer.joinsMany ? framesAhead : 1;
			const to = Math.min(rows.count, frame + ahead);
			for (const it of contexts) rows.want(it, frame, to);
			await rows.compute();
		}
		return contexts.map((it) => rows.row(it, frame));
	}
}
