/**
 * Modified beam search (beam.ts) over the frames of whole segments. Several segments are searched side by side, a frame of each at a time: their
 * hypotheses are rows of one run of the joiner, which costs hardly more than one row.
 */
import type { EncodedFrames } from "../offline/encoded-frames.js";
import {
	advance,
	type BeamHypothesis,
	type BeamOptions,
	type LikelyTokens,
	startOf,
	tokensWanted,
} from "./beam.js";
import type { JoinedSide, Transducer } from "./transducer.js";

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
		const most = Math.max(
			...rows.map(({ segment }) =>
				tokensWanted((segments[segment] as SearchedSegment).options),
			),
		);
		const likely = await likelyTokens(transducer, rows, frame, most);
		for (const { segment, hypotheses } of rows) {
			const { options } = segments[segment] as SearchedSegment;
			const own = likely.splice(0, hypotheses.length);
			found[segment] = advance(hypotheses, own, frame, options);
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

/** @returns the likeliest tokens for each hypothesis of each row, in order. */
async function likelyTokens(
	transducer: Transducer,
	rows: readonly Row[],
	frame: number,
	most: number,
): Promise<LikelyTokens[]> {
	const frames = rows.map(({ encoded: { values, width } }) =>
		values.subarray(frame * width, (frame + 1) * width),
	);
	const contexts = rows.flatMap(({ hypotheses }) =>
		hypotheses.map(({ last }) => transducer.contextAfter(last)),
	);
	const frameOf = rows.flatMap(({ hypotheses }, row) =>
		hypotheses.map(() => row),
	);
	const predictions = await transducer.predict(contexts);
	return transducer.likeliest(
		sideOf(frames, Int32Array.from(frameOf)),
		sideOf(
			predictions,
			Int32Array.from(contexts, (_, i) => i),
		),
		Math.min(most, transducer.vocabulary),
	);
}

function sideOf(all: readonly Float32Array[], rows: Int32Array): JoinedSide {
	return { values: joined(all), width: all[0]?.length ?? 0, rows };
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
