/**
 * Scores of the differences between texts and the recognizer's own (text-windows.ts), from the scorer's graph, with audio and without. A text's score is
 * joined from those of its differences, so texts that combine the same ones cost nothing more.
 */
import type { SequenceContext } from "./sequence-scores.js";
import { TokenTree, type Window } from "./text-windows.js";
import type { TreeScorer } from "./tree-scorer.js";

/** A text as tokens, and their log-probabilities: that of the end token last. */
export interface ScoredTokens {
	readonly tokens: readonly number[];
	readonly logp: readonly number[];
}

/** With audio, or without: then the same decoder is Whisper's internal language model. */
export type ScoringPass = "withAudio" | "withoutAudio";

/** Tokens of a tree beside the reference's: the cost of their attention to each other grows with the square. */
const treeSizeMax = 192;
/** The least probability that is left beside a word that the scorer does not know. */
const restMin = 1e-3;
/** Log-probability without audio of a word that the search found and the scorer does not know. */
const unknownLogp = -6;
/** The end of a text, in a tree. */
const end = -1;

/** What one pass has scored: by token; NaN for those that the scorer does not know. */
interface PassScores {
	/** Of the reference, the end's last. */
	reference: readonly number[] | undefined;
	/** Of a window's own tokens and those after it. */
	readonly windows: Map<string, readonly number[]>;
}

export class WindowScores {
	readonly #scorer: Pick<TreeScorer, "score">;
	readonly #context: SequenceContext;
	/** The recognizer's text, with which others are compared. */
	readonly #reference: ScoredTokens;
	readonly #passes: Readonly<Record<ScoringPass, PassScores>> = {
		withAudio: { reference: undefined, windows: new Map() },
		withoutAudio: { reference: undefined, windows: new Map() },
	};

	constructor(
		scorer: Pick<TreeScorer, "score">,
		context: SequenceContext,
		reference: ScoredTokens,
	) {
		this.#scorer = scorer;
		this.#context = context;
		this.#reference = reference;
	}

	/** Whether the scores of a text with these differences can be joined. */
	has(windows: readonly Window[], pass: ScoringPass): boolean {
		const scores = this.#passes[pass];
		return (
			scores.reference !== undefined &&
			windows.every((it) => scores.windows.has(keyOf(it)))
		);
	}

	/** Scores those that have no score yet, in as few trees as their size allows. */
	async score(windows: readonly Window[], pass: ScoringPass): Promise<void> {
		const { tokens: own } = this.#reference;
		const scores = this.#passes[pass];
		const unknown = new Map<string, Window>();
		for (const window of windows) {
			const key = keyOf(window);
			if (!scores.windows.has(key)) unknown.set(key, window);
		}
		if (unknown.size === 0 && scores.reference) return;
		const waiting = [...unknown.values()].sort((a, b) => a.from - b.from);
		do {
			const tree = new TokenTree();
			const isFirst = scores.reference === undefined;
			const path = isFirst ? tree.add(0, [...own, end]) : [];
			const batch = takeWindows(waiting);
			if (!isFirst) tree.addContext(own.slice(0, batch.at(-1)?.from ?? 0));
			const placed = batch.map((window) => {
				// node i is the reference's token i - 1
				const after = [...own, end].slice(window.to, window.end);
				const edges = tree.add(window.from, [...window.tokens, ...after]);
				return { window, edges };
			});
			const { prompt, cross, checkCancelled } = this.#context;
			checkCancelled();
			const audio = pass === "withAudio" ? cross() : undefined;
			const scoreOf = await this.#scorer.score(tree, prompt, audio);
			scores.reference ??= path.map(scoreOf);
			for (const { window, edges } of placed)
				scores.windows.set(keyOf(window), edges.map(scoreOf));
		} while (waiting.length > 0);
	}

	/** By token, the end's last, of the text that has these differences from the reference. They must have been scored. */
	joined(windows: readonly Window[], pass: ScoringPass): readonly number[] {
		return pass === "withAudio"
			? this.#joinedWithAudio(windows)
			: this.#joinedWithoutAudio(windows);
	}

	#joinedWithAudio(windows: readonly Window[]): number[] {
		const known = this.#reference.logp;
		const scored = this.#passes.withAudio.reference as readonly number[];
		const logp: number[] = [];
		let at = 0;
		for (const window of windows) {
			for (; at < window.from; at++) logp.push(known[at] as number);
			const scores = this.#scoresOf(window, "withAudio");
			const { length } = window.tokens;
			const share = this.#shareScored(window.from);
			for (let i = 0; i < length; i++)
				logp.push(orZero(scores[i]) + (i === 0 ? share : 0));
			for (at = window.to; at < window.end; at++) {
				const i = length + at - window.to;
				const change = orZero(scores[i]) - orZero(scored[at]);
				// a deletion: the next token is scored in the place of the deleted one
				const next =
					i === 0 ? orZero(scores[0]) + share : (known[at] as number) + change;
				logp.push(Math.min(0, next));
			}
		}
		for (; at < known.length; at++) logp.push(known[at] as number);
		return logp;
	}

	#joinedWithoutAudio(windows: readonly Window[]): number[] {
		const scored = this.#passes.withoutAudio.reference as readonly number[];
		const logp: number[] = [];
		let at = 0;
		for (const window of windows) {
			for (; at < window.from; at++) logp.push(orZero(scored[at]));
			this.#scoresOf(window, "withoutAudio").forEach((score, i) => {
				const isOwn = i < window.tokens.length;
				const isUnknown = isOwn && Number.isNaN(score);
				logp.push(isUnknown ? unknownLogp : orZero(score));
			});
			at = window.end;
		}
		for (; at < scored.length; at++) logp.push(orZero(scored[at]));
		return logp;
	}

	#scoresOf(window: Window, pass: ScoringPass): readonly number[] {
		return this.#passes[pass].windows.get(keyOf(window)) as readonly number[];
	}

	/** Logarithm of the share of all probability that the scorer's vocabulary has after the reference's first `at` tokens. */
	#shareScored(at: number): number {
		const known = this.#reference.logp[at] as number;
		const inTree = this.#passes.withAudio.reference?.[at] as number;
		return Number.isNaN(inTree)
			? Math.log(Math.max(restMin, 1 - Math.exp(known)))
			: Math.max(Math.log(restMin), Math.min(0, known - inTree));
	}
}

/** Removes the first windows, as many as one tree holds. */
function takeWindows(waiting: Window[]): readonly Window[] {
	let size = 0;
	let count = 0;
	for (; count < waiting.length && size < treeSizeMax; count++) {
		const { to, end, tokens } = waiting[count] as Window;
		size += tokens.length + end - to;
	}
	return waiting.splice(0, count);
}

function keyOf({ from, to, tokens }: Window): string {
	return `${from} ${to} ${tokens.join()}`;
}

/** Tokens that the scorer does not know are the same in all texts. */
function orZero(score: number | undefined): number {
	return score === undefined || Number.isNaN(score) ? 0 : score;
}
