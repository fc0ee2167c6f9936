/**
 * Scores texts against a segment's audio, and without audio: the same decoder with nothing to attend to is Whisper's internal language model.
 *
 * With a scorer in the package, a text's score is the recognizer's own text's and the differences between them (text-windows.ts). Without one, and for words
 * that the scorer does not know, every text is scored as a whole by the decoder, which takes about six times as long.
 */
import type { TextScore, TextScorer } from "../refinement.js";
import type { WhisperDecoder } from "./decoder.js";
import { OwnSpelling } from "./own-spelling.js";
import {
	type SequenceContext,
	type SequenceScores,
	scoreSequences,
	silentCross,
} from "./sequence-scores.js";
import { TokenTree, type Window, windowsOf } from "./text-windows.js";
import type { WhisperTokenizer } from "./tokenizer.js";
import type { TreeScorer } from "./tree-scorer.js";

/** A text as tokens, and their log-probabilities: that of the end token last. */
export interface ScoredTokens {
	readonly tokens: readonly number[];
	readonly logp: readonly number[];
}

/** What a text is scored with. */
export interface ScoringTools {
	readonly decoder: WhisperDecoder;
	readonly tokenizer: WhisperTokenizer;
	/** Absent where the package has none. */
	readonly treeScorer?: TreeScorer | undefined;
}

/** Texts scored per segment; more is a mistake of the caller. */
const textsMax = 200;
/** Tokens of a text: Whisper's text context is 448 with the prompt. */
const tokensMax = 440;
/** Tokens of a tree beside the reference's: the cost of their attention to each other grows with the square. */
const treeSizeMax = 192;
/** The least probability that is left beside a word that the scorer does not know. */
const restMin = 1e-3;
/** Log-probability without audio of a word that the search found and the scorer does not know. */
const unknownLogp = -6;
/** The end of a text, in a tree. */
const end = -1;

export class WhisperTextScorer implements TextScorer {
	readonly #tools: ScoringTools;
	readonly #context: SequenceContext;
	readonly #own: OwnSpelling;
	/** The recognizer's text, with which others are compared. */
	readonly #reference: ScoredTokens;
	#referenceScores: ReferenceScores | undefined;
	readonly #known: ReadonlyMap<string, ScoredTokens>;
	readonly #scored = new Map<string, ScoredText>();
	readonly #windows = new Map<string, WindowScores>();

	/**
	 * @param own the text as the search found it.
	 * @param known scores of texts that the search found.
	 * @param inTraditional see OwnSpelling.
	 */
	constructor(
		tools: ScoringTools,
		context: SequenceContext,
		own: ScoredTokens,
		known: ReadonlyMap<string, ScoredTokens> = new Map(),
		inTraditional = false,
	) {
		this.#tools = tools;
		this.#context = context;
		this.#own = new OwnSpelling(tools.tokenizer, own.tokens, inTraditional);
		this.#reference = own;
		this.#known = known;
	}

	async score(texts: readonly string[]): Promise<readonly TextScore[]> {
		await this.#scoreNew(texts);
		return texts.map((text) => (this.#scored.get(text) as ScoredText).score);
	}

	/** The tokens of a text and their log-probabilities, given the audio. */
	async tokensOf(text: string): Promise<ScoredTokens> {
		await this.#scoreNew([text]);
		return this.#scored.get(text) as ScoredText;
	}

	async #scoreNew(texts: readonly string[]): Promise<void> {
		const unknown = texts.filter((text) => !this.#scored.has(text));
		const wanted = [...new Set(unknown)];
		if (wanted.length === 0) return;
		if (this.#scored.size + wanted.length > textsMax)
			throw new RangeError(`at most ${textsMax} texts per segment`);
		const encoded = wanted.map((text) => {
			const tokens = this.#known.get(text)?.tokens ?? this.#encode(text);
			return { text, tokens };
		});
		const { treeScorer } = this.#tools;
		const inTree: Encoded[] = [];
		const whole: Encoded[] = [];
		for (const one of encoded)
			(treeScorer && this.#isKnown(one, treeScorer) ? inTree : whole).push(one);
		if (treeScorer && inTree.length > 0)
			await this.#scoreInTree(treeScorer, inTree);
		if (whole.length > 0) await this.#scoreWhole(whole);
	}

	#encode(text: string): readonly number[] {
		const tokens = this.#own.encode(text);
		if (tokens.length > tokensMax)
			throw new RangeError(`a text has at most ${tokensMax} tokens`);
		return tokens;
	}

	/** Whether all words of a text that are not the recognizer's own can be scored in a tree. */
	#isKnown({ text, tokens }: Encoded, scorer: TreeScorer): boolean {
		if (this.#known.has(text)) return true;
		return windowsOf(tokens, this.#reference.tokens).every((one) =>
			one.tokens.every((token) => scorer.knows(token)),
		);
	}

	async #scoreWhole(wanted: readonly Encoded[]): Promise<void> {
		const { decoder } = this.#tools;
		const sequences = wanted.map((one) => one.tokens);
		const heard = await scoreSequences(decoder, this.#context, sequences);
		const cross = silentCross(decoder);
		const silent = { ...this.#context, cross: () => cross };
		const unheard = await scoreSequences(decoder, silent, sequences);
		wanted.forEach(({ text, tokens }, i) => {
			const logp = heard[i] as SequenceScores;
			const internal = (unheard[i] as SequenceScores).slice(0, -1);
			this.#scored.set(text, scoredText(tokens, logp, sum(internal)));
		});
	}

	async #scoreInTree(
		scorer: TreeScorer,
		wanted: readonly Encoded[],
	): Promise<void> {
		const { tokens: own } = this.#reference;
		const windows = new Map<string, Window>();
		const windowsByText = wanted.map(({ tokens }) => windowsOf(tokens, own));
		for (const window of windowsByText.flat())
			if (!this.#windows.has(keyOf(window))) windows.set(keyOf(window), window);
		if (windows.size > 0 || !this.#referenceScores)
			await this.#scoreWindows(scorer, [...windows.values()]);
		wanted.forEach(({ text, tokens }, i) => {
			const own = windowsByText[i] as readonly Window[];
			const { logp, internal } = this.#joined(own);
			const heard = this.#known.get(text)?.logp ?? logp;
			this.#scored.set(text, scoredText(tokens, heard, internal));
		});
	}

	/** In as few trees as their size allows. */
	async #scoreWindows(
		scorer: TreeScorer,
		windows: readonly Window[],
	): Promise<void> {
		const { tokens: own } = this.#reference;
		const waiting = windows.toSorted((a, b) => a.from - b.from);
		do {
			const tree = new TokenTree();
			const isFirst = this.#referenceScores === undefined;
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
			const heard = await scorer.score(tree, prompt, cross());
			checkCancelled();
			const unheard = await scorer.score(tree, prompt);
			this.#referenceScores ??= {
				heard: path.map(heard),
				unheard: path.map(unheard),
			};
			for (const { window, edges } of placed)
				this.#windows.set(keyOf(window), {
					heard: edges.map(heard),
					unheard: edges.map(unheard),
				});
		} while (waiting.length > 0);
	}

	/** The scores of the text that has these differences from the reference. */
	#joined(windows: readonly Window[]): {
		readonly logp: readonly number[];
		readonly internal: number;
	} {
		const known = this.#reference.logp;
		const { heard, unheard } = this.#referenceScores as ReferenceScores;
		const logp: number[] = [];
		const internal: number[] = [];
		let at = 0;
		const copy = (to: number) => {
			for (; at < to; at++) {
				logp.push(known[at] as number);
				internal.push(orZero(unheard[at]));
			}
		};
		for (const window of windows) {
			copy(window.from);
			const scores = this.#windows.get(keyOf(window)) as WindowScores;
			const { length } = window.tokens;
			window.tokens.forEach((_, i) => {
				const share = i === 0 ? this.#shareScored(window.from) : 0;
				logp.push(orZero(scores.heard[i]) + share);
				internal.push(scores.unheard[i] || unknownLogp);
			});
			at = window.to;
			for (; at < window.end; at++) {
				const i = length + at - window.to;
				const change = orZero(scores.heard[i]) - orZero(heard[at]);
				const share = i === 0 ? this.#shareScored(window.from) : 0;
				// a deletion: the next token is scored in the place of the deleted one
				const next =
					i === 0
						? orZero(scores.heard[0]) + share
						: (known[at] as number) + change;
				logp.push(Math.min(0, next));
				internal.push(orZero(scores.unheard[i]));
			}
		}
		copy(known.length);
		return { logp, internal: sum(internal.slice(0, -1)) };
	}

	/** Logarithm of the share of all probability that the scorer's vocabulary has after the reference's first `at` tokens. */
	#shareScored(at: number): number {
		const { heard } = this.#referenceScores as ReferenceScores;
		const known = this.#reference.logp[at] as number;
		const inTree = heard[at] as number;
		return Number.isNaN(inTree)
			? Math.log(Math.max(restMin, 1 - Math.exp(known)))
			: Math.max(Math.log(restMin), Math.min(0, known - inTree));
	}
}

interface Encoded {
	readonly text: string;
	readonly tokens: readonly number[];
}

interface ScoredText extends ScoredTokens {
	readonly score: TextScore;
}

/** By token, the end's last; NaN for those that the scorer does not know. */
interface ReferenceScores {
	readonly heard: readonly number[];
	readonly unheard: readonly number[];
}

/** Of the window's own tokens and those after it. */
type WindowScores = ReferenceScores;

function scoredText(
	tokens: readonly number[],
	logp: readonly number[],
	internalLogp: number,
): ScoredText {
	const endLogp = logp.at(-1) as number;
	const score = { logp: sum(logp.slice(0, -1)), endLogp, internalLogp };
	return { tokens, logp, score };
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

function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}
