/**
 * Greedy search for transducers that may emit several tokens at a frame, with durations or without: what search.ts finds with a beam of one, and no hotwords,
 * without its bookkeeping, which takes as long as a small joiner.
 *
 * Pure, and independent of any model.
 */
import { likeliestOne, logSumOf } from "../../search/log-probability.js";
import type { Emitted } from "../transducer/beam.js";
import {
	type DurationSearchOptions,
	type EmittedText,
	type JointNetwork,
	likeliestDuration,
	tokensPerFrameMax,
} from "./search.js";

type GreedyOptions = Pick<
	DurationSearchOptions,
	"frames" | "vocabulary" | "cancelled"
>;

export async function searchGreedily<State>(
	network: JointNetwork<State>,
	initial: State,
	{ frames, vocabulary, cancelled }: GreedyOptions,
): Promise<EmittedText | "cancelled"> {
	const emitted: Emitted[] = [];
	let state = initial;
	/** A token whose state is not computed yet. */
	let pending: number | undefined;
	let total = 0;
	let emittedHere = 0;
	for (let frame = 0; frame < frames; ) {
		if (cancelled()) return "cancelled";
		if (pending !== undefined) state = await network.after(state, pending);
		pending = undefined;
		const [scores] = await network.scores([frame], [state]);
		const tokens = (scores as Float32Array).subarray(0, vocabulary);
		const [skip, skipLogp] = likeliestDuration(
			(scores as Float32Array).subarray(vocabulary),
		);
		const token = likeliestOne(tokens) ?? vocabulary - 1;
		const logp = (tokens[token] as number) - logSumOf(tokens);
		total += logp + skipLogp;
		if (token === vocabulary - 1) {
			frame += Math.max(1, skip ?? 1);
			emittedHere = 0;
			continue;
		}
		emitted.push({ token, frame, logp, total, before: emitted.at(-1) });
		pending = token;
		const most =
			skip === undefined
				? tokensPerFrameMax.without
				: tokensPerFrameMax.withDurations;
		emittedHere++;
		if (skip || emittedHere >= most) {
			frame += skip || 1;
			emittedHere = 0;
		}
	}
	return { emitted, total };
}
