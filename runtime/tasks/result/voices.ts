/**
 * Who says what: a word belongs to the voice that speaks at its middle, and a sentence that two voices share is cut between them. Turns are known to
 * some tenths of a second, so a scrap at a sentence's edge goes to whoever says the rest of it.
 */
import type { Turn } from "../../engine/file-job.js";
import { partOf, type Sentence, type SentenceWord } from "./sentence.js";

/** A shorter stretch at the edge of a sentence is the other voice's border, drawn a little wrong. */
const scrapMsMax = 400;

interface Run {
	speaker: number;
	readonly first: number;
	/** One past the last word. */
	end: number;
}

export class Voices {
	readonly #turns: readonly Turn[];

	/** @param turns in order of time. */
	constructor(turns: readonly Turn[]) {
		this.#turns = turns;
	}

	/** The sentence, or its parts where it changes hands. */
	split(sentence: Sentence): Sentence[] {
		const runs = withoutScraps(this.#runs(sentence.words), sentence.words);
		return runs.map(({ speaker, first, end }, i) => {
			const words = sentence.words.slice(first, end);
			const from = i === 0 ? 0 : (words[0] as SentenceWord).from;
			const next = sentence.words[end];
			const to = next ? next.from : sentence.text.length;
			return {
				...sentence,
				...partOf(sentence, words, from, to),
				speaker,
				begins: i === 0 ? sentence.begins : false,
			};
		});
	}

	#runs(words: readonly SentenceWord[]): Run[] {
		const runs: Run[] = [];
		words.forEach((word, i) => {
			const last = runs.at(-1);
			const speaker =
				last && word.kind === "punc"
					? last.speaker // leans on the word before
					: this.#speakerAt((word.startMs + word.endMs) / 2);
			if (last?.speaker === speaker) last.end = i + 1;
			else runs.push({ speaker, first: i, end: i + 1 });
		});
		return runs;
	}

	/** Between two turns the nearer one. */
	#speakerAt(ms: number): number {
		let low = 0; // the last turn that begins at or before
		let high = this.#turns.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((this.#turns[middle] as Turn).startMs <= ms) low = middle + 1;
			else high = middle;
		}
		const before = this.#turns[low - 1];
		const after = this.#turns[low];
		if (!before) return after?.speaker ?? 1;
		if (!after || ms <= before.endMs) return before.speaker;
		return ms - before.endMs <= after.startMs - ms
			? before.speaker
			: after.speaker;
	}
}

function withoutScraps(
	runs: readonly Run[],
	words: readonly SentenceWord[],
): Run[] {
	if (runs.length < 2) return [...runs];
	const kept = runs.map((it) => ({ ...it }));
	const [first, second] = kept;
	if (first && second && soundMs(first, words) < scrapMsMax)
		first.speaker = second.speaker;
	const last = kept.at(-1);
	const before = kept.at(-2);
	if (last && before && soundMs(last, words) < scrapMsMax)
		last.speaker = before.speaker;
	return kept.reduce<Run[]>((merged, run) => {
		const open = merged.at(-1);
		if (open?.speaker === run.speaker) open.end = run.end;
		else merged.push(run);
		return merged;
	}, []);
}

function soundMs({ first, end }: Run, words: readonly SentenceWord[]): number {
	const from = words[first]?.startMs ?? 0;
	return (words[end - 1]?.endMs ?? from) - from;
}
