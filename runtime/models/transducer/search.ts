/**
 * Modified beam search (zipformer/beam.ts) over the frames of whole segments. Several segments are searched side by side, a frame of each at a time: their
 * hypotheses are rows of one run of the joiner, which costs hardly more than one row.
 */
import type { EncodedFrames } from "../offline/encoded-frames.js";
import {
	advance,
	type BeamHypothesis,
	type BeamOptions,
	startOf,
} from "../zipformer/beam.js";
import type { Transducer } from "../zipformer/transducer.js";

export interface SearchedSegment {
	readonly encoded: EncodedFrames;
	readonly options: BeamOptions;
	/** Polled at every frame. */
	readonly cancelled: () => boolean;
}

type Found = readonly BeamHypothesis[] | "cancelled";

/** @returns the hypotheses of each segment. */
export async function searchTogether(
	transducer: Transducer,
	segments: readonly SearchedSegment[],
): Promise<readonly Found[]> {
	const found: Found[] = segments.map(({ options }) => startOf(options.bias));
	const frames = Math.max(0, ...segments.map(({ encoded }) => encoded.count));
	for (let frame = 0; frame < frames; frame++) {
		const rows: Row[] = [];
		for (const [i, { encoded, cancelled }] of segments.entries()) {
			const hypotheses = found[i] as Found;
			if (frame >= encoded.count || hypotheses === "cancelled") continue;
			if (cancelled()) found[i] = "cancelled";
			else rows.push({ segment: i, encoded, hypotheses });
		}
		if (rows.length === 0) continue;
		const logits = await joinRows(transducer, rows, frame);
		let from = 0;
		for (const { segment, hypotheses } of rows) {
			const end = from + hypotheses.length * transducer.vocabulary;
			const { options } = segments[segment] as SearchedSegment;
			const own = logits.subarray(from, end);
			found[segment] = advance(hypotheses, own, frame, options);
			from = end;
		}
	}
	return found;
}

/** A segment whose next frame is searched. */
interface Row {
	readonly segment: number;
	readonly encoded: EncodedFrames;
	readonly hypotheses: readonly BeamHypothesis[];
}

/** @returns scores of each hypothesis of each row, in order. */
async function joinRows(
	transducer: Transducer,
	rows: readonly Row[],
	frame: number,
): Promise<Float32Array> {
	const predictions: Float32Array[] = [];
	const frames: Float32Array[] = [];
	for (const { encoded, hypotheses } of rows) {
		const { values, width } = encoded;
		const own = values.subarray(frame * width, (frame + 1) * width);
		for (const { last } of hypotheses) {
			frames.push(own);
			predictions.push(await transducer.predict(transducer.contextAfter(last)));
		}
	}
	return transducer.joinRows(
		joined(frames),
		joined(predictions),
		frames.length,
	);
}

/** Rows of equal length, one after the other. */
function joined(rows: readonly Float32Array[]): Float32Array {
	const width = rows[0]?.length ?? 0;
	const all = new Float32Array(rows.length * width);
	rows.forEach((row, i) => {
		all.set(row, i * width);
	});
	return all;
}
