/**
 * Assigns words to speakers: a word belongs to the speaker at its middle, and a sentence with two speakers is split between them. Turns are accurate to some
 * tenths of a second: a scrap at a sentence's edge is given to the speaker of the rest, and a cut inside a unit (致し|ます) moves to the best place nearby.
 */

import type { Turn } from "../../engine/file-job.js";
import type { Language } from "../../text/languages.js";
import { breakCost, placeBefore } from "./line-breaks.js";
import type { ResultSegment } from "./result.js";
import { partOf, type Sentence, type SentenceWord } from "./sentence.js";

/** A shorter span at the edge of a sentence is an inaccurate border of another speaker's turn. */
const scrapMsMax = 400;

/** A border moves away from a place with at least this cost (line-breaks.ts), */
const hurts = 7;
/** to one that costs less than this, including its distance, */
const harmless = 6;
const msPerCost = 250;
/** and at most this far. */
const moveMsMax = 700;

interface Run {
	speaker: number;
	readonly first: number;
	/** One past the last word. */
	end: number;
}

export class SpeakerSplitter {
	readonly #turns: readonly Turn[];
	/** Turns that overlap those. */
	readonly #beside: readonly Turn[];
	readonly #language: Language;

	/** @param turns in order of time; overlapping turns are marked `beside`. */
	constructor(turns: readonly Turn[], language: Language) {
		this.#turns = turns.filter((it) => !it.beside);
		this.#beside = turns.filter((it) => it.beside);
		this.#language = language;
	}

	/** @returns the sentence, or its parts where the speaker changes. */
	split(sentence: Sentence): Sentence[] {
		const found = withoutScraps(this.#runs(sentence.words), sentence.words);
		const runs = found.length > 1 ? this.#moved(sentence, found) : found;
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

	/** @param part as it will be shown, a whole sentence or a line of one. @returns it with the other speakers who talk at the same time. */
	withOthers(part: Sentence): Sentence {
		const beside = this.#besideOf(part);
		return beside.length > 0 ? { ...part, beside } : part;
	}

	/** Moves borders to the best places; a run that loses all its words disappears. */
	#moved(sentence: Sentence, runs: readonly Run[]): Run[] {
		const moved: Run[] = [];
		let first = 0;
		runs.forEach((run, i) => {
			const next = runs[i + 1];
			const end = next ? this.#bestBorder(sentence, run.end) : run.end;
			if (end <= first) return;
			const last = moved.at(-1);
			if (last?.speaker === run.speaker) last.end = end;
			else moved.push({ speaker: run.speaker, first, end });
			first = end;
		});
		return moved;
	}

	/** @param border number of the first word after it. */
	#bestBorder(sentence: Sentence, border: number): number {
		const { words } = sentence;
		const costAt = (at: number) =>
			at === 0 || at === words.length
				? 0
				: breakCost(placeBefore(sentence, at), this.#language);
		if (costAt(border) < hurts) return border;
		const atMs = (words[border] as SentenceWord).startMs;
		let best = border;
		let bestCost = harmless;
		for (let at = 0; at <= words.length; at++) {
			const ms = words[at]?.startMs ?? (words.at(-1) as SentenceWord).endMs;
			const awayMs = Math.abs(ms - atMs);
			const cost = costAt(at) + awayMs / msPerCost;
			if (awayMs > moveMsMax || cost >= bestCost) continue;
			if (words[at]?.kind === "punc") continue; // it belongs to the word before
			best = at;
			bestCost = cost;
		}
		return best;
	}

	#runs(words: readonly SentenceWord[]): Run[] {
		const runs: Run[] = [];
		words.forEach((word, i) => {
			const last = runs.at(-1);
			const speaker =
				last && word.kind === "punc"
					? last.speaker // belongs to the word before
					: this.#speakerAt((word.startMs + word.endMs) / 2);
			if (last?.speaker === speaker) last.end = i + 1;
			else runs.push({ speaker, first: i, end: i + 1 });
		});
		return runs;
	}

	/** Other speakers at the middle of one of the words. */
	#besideOf({ words, speaker }: Sentence): number[] {
		const middles = words
			.filter((it) => it.kind !== "punc")
			.map((it) => (it.startMs + it.endMs) / 2);
		const [first = 0] = middles;
		const last = middles.at(-1) ?? 0;
		const found = new Set<number>();
		for (const turn of this.#beside) {
			if (turn.endMs <= first || turn.speaker === speaker) continue;
			if (turn.startMs > last) break;
			if (middles.some((it) => it >= turn.startMs && it < turn.endMs))
				found.add(turn.speaker);
		}
		return [...found];
	}

	/** Between two turns: the speaker of the nearer one. */
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

/** Numbers speakers by their first appearance in the result: a speaker without any text gets no number. */
export class SpeakerNumbers {
	readonly #numbers = new Map<number, number>();

	renumber(segment: ResultSegment): ResultSegment {
		const { cluster_id, overlap_cluster_ids } = segment;
		if (cluster_id === undefined) return segment;
		return {
			...segment,
			cluster_id: this.#numberOf(cluster_id),
			...(overlap_cluster_ids && {
				overlap_cluster_ids: overlap_cluster_ids.map((it) =>
					this.#numberOf(it),
				),
			}),
		};
	}

	#numberOf(speaker: number): number {
		const number = this.#numbers.get(speaker) ?? this.#numbers.size + 1;
		this.#numbers.set(speaker, number);
		return number;
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
