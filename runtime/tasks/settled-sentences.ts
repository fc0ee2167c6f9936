/**
 * The sentences of a result that are certain while the rest of the file is transcribed. What is stored of a task is added to, never changed; a sentence is complete
 * once it is known that the next utterance does not continue it. Nothing is certain before the end where speakers may divide a sentence, where two channels are
 * merged by time, and of subtitles, whose lines are no sentences.
 *
 * INVARIANT: the texts are those of the segments that `composeResult` makes of the same task, from the first one on, but for empty ones.
 */
import type { FileOptions } from "./file-options.js";
import type { FileUtterance } from "./result/parts.js";
import { ResultSegmentWriter } from "./result/result-segment-writer.js";
import type { Sentence } from "./result/sentence.js";
import { SentenceCutter } from "./result/sentence-cutter.js";
import type { SettledSentences } from "./task-service.js";
import { wantsDiarization } from "./wanted-jobs.js";

/** @param utterancesAfter those that are stored by now, after the one with this index. @returns undefined where nothing is certain before the end. */
export function settledSentences(
	options: FileOptions,
	utterancesAfter: (index: number) => Iterable<FileUtterance>,
): SettledSentences | undefined {
	const { channels, output } = options;
	if (channels === 2 || output === "subtitle" || wantsDiarization(options))
		return undefined;
	const cutter = new SentenceCutter(1, options);
	const writer = new ResultSegmentWriter(options);
	const textOf = (sentence: Sentence) => writer.write(sentence)?.transcript;
	let index = 0;
	let taken = 0; // of the group that is not complete
	const settledBy = (utterance: FileUtterance): readonly Sentence[] => {
		const complete = cutter.accept(utterance);
		const rest = complete.slice(taken);
		if (complete.length > 0) taken = 0; // a group begins
		const closed = cutter.closed.slice(taken);
		taken += closed.length;
		return [...rest, ...closed];
	};
	return {
		take() {
			const texts: string[] = [];
			for (const utterance of utterancesAfter(index)) {
				index = utterance.index;
				for (const sentence of settledBy(utterance))
					texts.push(textOf(sentence) ?? "");
			}
			return texts.filter((it) => it !== "");
		},
	};
}
