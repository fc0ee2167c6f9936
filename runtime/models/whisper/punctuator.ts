/**
 * Punctuation without a second model and without changing a word: with a punctuated text as context, the decoder scores a mark before every token of the
 * found text. Where the mark is likelier than the token, it is inserted. One pass scores all places: on our punctuated clips it finds the marks' places
 * with F1 0.93 in Chinese (the model alone 0.76, without the punctuated context 0.84), 0.77 in Japanese (0.61, 0.67).
 */
import { endsSentence, isCjk, isMark } from "../../text/marks.js";
import type { MarkStyle } from "../../text/punctuation.js";
import type { Insertion, TextPiece } from "../writing/transcript.js";

/** Punctuation settings of a language. */
interface Prompted {
	readonly style: MarkStyle;
	/** Context before the text, so that the decoder expects marks. Half-width commas are one token, full-width ones three. */
	readonly context: string;
	/** Marks to score, one token each; the first stands inside sentences, the others end them. */
	readonly marks: readonly string[];
	/** A text with at least one mark per this many characters counts as punctuated. */
	readonly charactersPerMark: number;
}

const byCode = {
	zh: {
		style: "zh",
		context: "今天天气很好,我们去公园散步吧。你觉得怎么样?好的,没问题。",
		marks: [",", "。", "?", "!"],
		charactersPerMark: 12,
	},
	ja: {
		style: "ja",
		context:
			"今日は天気がいいので、公園へ行きましょう。どう思いますか?はい、そうですね。",
		marks: ["、", "。", "?", "!"],
		charactersPerMark: 16,
	},
	en: {
		style: "en",
		context:
			" The weather is nice today, so let's go to the park. What do you think? Yes, of course.",
		marks: [",", ".", "?", "!"],
		charactersPerMark: 80,
	},
} as const satisfies Readonly<Record<string, Prompted>>;

/** A language by Whisper's code. */
export type PromptLanguage = keyof typeof byCode;

export const prompted: Readonly<Record<PromptLanguage, Prompted>> = byCode;

/** Index of the first mark that ends a sentence. */
const firstEndMark = 1;

/** How much likelier than the next token a mark must be (natural logarithm) to be inserted inside the text. */
const insideMargin = 0;
/** A space that the decoder wrote between Chinese or Japanese characters stands for a pause. */
const atSpaceMargin = -3;
/** At the end, silence is already evidence for a mark: it need not be likelier than the end token. */
const atEndMargin = -3;
/** Minimum number of characters between two marks; of two closer ones the likelier stays. */
const apartMin = 4;

/** Whether a found text lacks marks: too few inside, or none at its end. */
export function lacksPunctuation(
	text: string,
	language: PromptLanguage,
): boolean {
	const characters = [...text.trim()];
	const last = characters.at(-1);
	if (last === undefined) return false;
	if (!endsSentence(last)) return true;
	const marks = characters.filter(isMark).length;
	return characters.length / marks > prompted[language].charactersPerMark;
}

/**
 * Where marks may be inserted. Each place to score costs as much as a step of the search.
 * @param wordStarts indices of pieces that begin a word.
 * @returns indices of pieces that a mark may precede; `pieces.length` is the end.
 */
export function markPlaces(
	pieces: readonly TextPiece[],
	wordStarts: ReadonlySet<number>,
): number[] {
	const places: number[] = [];
	for (let i = 1; i <= pieces.length; i++)
		if ((i === pieces.length || wordStarts.has(i)) && !besideMark(pieces, i))
			places.push(i);
	return places;
}

/**
 * Chooses the marks to insert.
 * @param pieces of the found text.
 * @param places that were scored: see `markPlaces`.
 * @param scores by place, log-probability of the existing token and of each mark before it.
 */
export function chooseMarks(
	pieces: readonly TextPiece[],
	places: readonly number[],
	scores: { readonly logp: Float32Array; readonly idLogp: Float32Array },
	language: PromptLanguage,
): Insertion[] {
	const { marks } = prompted[language];
	const found: MarkCandidate[] = [];
	const taken: number[] = []; // places of existing marks
	const rowOfPlace = new Map(places.map((piece, k) => [piece, k]));
	let place = 0; // characters before
	for (let i = 0; i <= pieces.length; i++) {
		const text = pieces[i]?.text.trim() ?? "";
		if ([...text].some(isMark)) taken.push(place);
		const k = rowOfPlace.get(i);
		if (k !== undefined) {
			const atEnd = i === pieces.length;
			const best = bestMark(scores.idLogp, k, marks, atEnd);
			const gain =
				best.logp - (scores.logp[k] as number) - marginAt(pieces, i, language);
			if (gain > 0) found.push({ before: i, mark: best.mark, gain, place });
		}
		place += [...text].length;
	}
	taken.push(place);
	return found.filter(
		(one) =>
			one.before === pieces.length ||
			(taken.every((at) => Math.abs(at - one.place) >= apartMin) &&
				!found.some((other) => crowdsOut(other, one))),
	);
}

type MarkCandidate = Insertion & {
	/** How much likelier it is than the existing token, less the margin. */
	readonly gain: number;
	/** Characters before it. */
	readonly place: number;
};

function crowdsOut(other: MarkCandidate, one: MarkCandidate): boolean {
	return other.gain > one.gain && Math.abs(other.place - one.place) < apartMin;
}

function marginAt(
	pieces: readonly TextPiece[],
	i: number,
	language: PromptLanguage,
): number {
	const piece = pieces[i];
	if (piece === undefined) return atEndMargin;
	return prompted[language].style !== "en" && piece.text.startsWith(" ")
		? atSpaceMargin
		: insideMargin;
}

function bestMark(
	idLogp: Float32Array,
	row: number,
	marks: readonly string[],
	atEnd: boolean,
): { mark: string; logp: number } {
	let best = atEnd ? firstEndMark : 0;
	const from = row * marks.length;
	for (let k = best + 1; k < marks.length; k++)
		if ((idLogp[from + k] as number) > (idLogp[from + best] as number))
			best = k;
	return { mark: marks[best] as string, logp: idLogp[from + best] as number };
}

/** Whether there is a mark on either side, or the place is inside a number or a Latin word. */
function besideMark(pieces: readonly TextPiece[], i: number): boolean {
	const before = [...(pieces[i - 1]?.text ?? "")].at(-1) ?? "";
	const text = pieces[i]?.text ?? "";
	const after = [...text.trimStart()][0] ?? "";
	if (isMark(before) || (after !== "" && isMark(after))) return true;
	const glued = after !== "" && !text.startsWith(" ");
	// A number and the counted noun or unit after it stay together.
	if (glued && /\p{N}/u.test(before)) return true;
	return glued && !isCjk(before) && !isCjk(after);
}
