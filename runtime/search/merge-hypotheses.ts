/**
 * Merges two hypotheses of a segment: the plain one, which is the likeliest, and the favoured one, with hotwords. They are aligned piece by piece. Where they
 * differ, the favoured one is used only if it has a hotword there whose bonus outweighs its lower probability. So a hotword affects its own place only.
 * Where the plain hypothesis has an inflected form of the hotword ("vanished" for "vanish"), it stays.
 */
import { isFormOf } from "./inflection.js";

/** The smallest part of a hypothesis that is text: a character of one or more tokens, or a token of several characters. */
export interface HypothesisPiece {
	readonly text: string;
	readonly tokens: readonly number[];
	readonly logp: readonly number[];
}

/** Pieces of a hotword, `to` excluded, and its bonus. */
export interface HotwordSpan {
	readonly from: number;
	readonly to: number;
	readonly bonus: number;
}

export interface Hypothesized<Piece extends HypothesisPiece = HypothesisPiece> {
	readonly pieces: readonly Piece[];
	readonly spans: readonly HotwordSpan[];
	/** Log-probability of the end token. */
	readonly endLogp: number;
}

/** Corresponding spans of the two hypotheses. */
interface Difference {
	readonly plain: PieceSpan;
	readonly favoured: PieceSpan;
}

interface PieceSpan {
	readonly from: number;
	readonly to: number;
}

/** Equal pieces after a difference that are scored with it, because a text changes the probability of the text after it. */
const piecesAfter = 3;
/** Cost of each changed piece that is not part of a hotword, in natural-log units. */
const besideCost = 1.5;

/**
 * @param margin how much better a hotword must be than what it replaces, natural logarithm.
 * @returns `plain.pieces` itself if nothing of the favoured hypothesis is used.
 */
export function mergeHypotheses<Piece extends HypothesisPiece>(
	plain: Hypothesized<Piece>,
	favoured: Hypothesized<Piece>,
	margin = 0,
): readonly Piece[] {
	const differences = joined(
		differencesOf(plain.pieces, favoured.pieces),
		favoured.spans,
	);
	const merged: Piece[] = [];
	let at = 0; // index in the plain pieces
	differences.forEach((whole, i) => {
		if (!favoured.spans.some((span) => touches(span, whole.favoured))) return;
		const next = differences[i + 1]?.plain.from ?? plain.pieces.length + 1;
		const after = Math.min(piecesAfter, next - whole.plain.to);
		const one = trimmed(whole, favoured.spans);
		const gain =
			worth(favoured, one.favoured, whole.favoured.to, after) -
			worth(plain, one.plain, whole.plain.to, after) -
			besideCost * piecesBeside(one.favoured, favoured.spans);
		if (gain <= margin) return;
		if (hasFormOf(plain, one.plain, favoured, one.favoured)) return;
		merged.push(
			...plain.pieces.slice(at, one.plain.from),
			...favoured.pieces.slice(one.favoured.from, one.favoured.to),
		);
		at = one.plain.to;
	});
	return at === 0 && merged.length === 0
		? plain.pieces
		: [...merged, ...plain.pieces.slice(at)];
}

function hasFormOf(
	plain: Hypothesized,
	replaced: PieceSpan,
	favoured: Hypothesized,
	wanted: PieceSpan,
): boolean {
	return isFormOf(textOf(plain, replaced), textOf(favoured, wanted));
}

function textOf({ pieces }: Hypothesized, { from, to }: PieceSpan): string {
	return pieces
		.slice(from, to)
		.map(({ text }) => text)
		.join("");
}

/** If both spans have equal lengths, restricts them to the hotword, so that the plain hypothesis stays beside it. */
function trimmed(
	{ plain, favoured }: Difference,
	spans: readonly HotwordSpan[],
): Difference {
	if (plain.to - plain.from !== favoured.to - favoured.from)
		return { plain, favoured };
	let left = 0;
	while (!isInSpan(favoured.from + left, spans)) left++;
	let right = 0;
	while (!isInSpan(favoured.to - 1 - right, spans)) right++;
	return {
		plain: { from: plain.from + left, to: plain.to - right },
		favoured: { from: favoured.from + left, to: favoured.to - right },
	};
}

function piecesBeside(
	{ from, to }: PieceSpan,
	spans: readonly HotwordSpan[],
): number {
	let beside = 0;
	for (let i = from; i < to; i++) if (!isInSpan(i, spans)) beside++;
	return beside;
}

function isInSpan(piece: number, spans: readonly HotwordSpan[]): boolean {
	return spans.some((span) => span.from <= piece && piece < span.to);
}

/** Log-probability and bonus of a span, plus the log-probability of the pieces after the difference. */
function worth(
	{ pieces, spans, endLogp }: Hypothesized,
	pieceSpan: PieceSpan,
	afterFrom: number,
	after: number,
): number {
	let sum = 0;
	const add = (from: number, to: number) => {
		for (let i = from; i < to; i++)
			for (const logp of pieces[i]?.logp ?? [endLogp]) sum += logp;
	};
	add(pieceSpan.from, pieceSpan.to);
	add(afterFrom, afterFrom + after);
	for (const span of spans) if (touches(span, pieceSpan)) sum += span.bonus;
	return sum;
}

/** Joins differences that the same hotword spans. */
function joined(
	differences: readonly Difference[],
	spans: readonly HotwordSpan[],
): Difference[] {
	const result: Difference[] = [];
	for (const one of differences) {
		const before = result.at(-1);
		const together =
			before !== undefined &&
			spans.some(
				(span) => touches(span, before.favoured) && touches(span, one.favoured),
			);
		if (together) result[result.length - 1] = across(before, one);
		else result.push(one);
	}
	return result;
}

function across(first: Difference, last: Difference): Difference {
	return {
		plain: { from: first.plain.from, to: last.plain.to },
		favoured: { from: first.favoured.from, to: last.favoured.to },
	};
}

/** An empty span is touched if it is strictly inside. */
function touches(span: HotwordSpan, { from, to }: PieceSpan): boolean {
	return from === to
		? span.from < from && from < span.to
		: span.from < to && from < span.to;
}

/** The differences in an alignment with the fewest changes. */
function differencesOf(
	one: readonly HypothesisPiece[],
	other: readonly HypothesisPiece[],
): Difference[] {
	const distance = distances(one, other);
	const width = other.length + 1;
	const found: Difference[] = [];
	let i = 0;
	let j = 0;
	let from: [number, number] | undefined;
	const close = () => {
		if (from === undefined) return;
		found.push({
			plain: { from: from[0], to: i },
			favoured: { from: from[1], to: j },
		});
		from = undefined;
	};
	while (i < one.length || j < other.length) {
		const here = distance[i * width + j] as number;
		if (
			one[i]?.text === other[j]?.text &&
			distance[(i + 1) * width + j + 1] === here
		) {
			close();
			i++;
			j++;
			continue;
		}
		from ??= [i, j];
		const changed =
			i < one.length && j < other.length
				? (distance[(i + 1) * width + j + 1] as number)
				: Number.POSITIVE_INFINITY;
		const left =
			i < one.length
				? (distance[(i + 1) * width + j] as number)
				: Number.POSITIVE_INFINITY;
		if (changed + 1 === here) {
			i++;
			j++;
		} else if (left + 1 === here) i++;
		else j++;
	}
	close();
	return found;
}

/** Levenshtein distance of the remaining pieces from each pair of indices on: [one + 1, other + 1]. */
function distances(
	one: readonly HypothesisPiece[],
	other: readonly HypothesisPiece[],
): Uint16Array {
	const width = other.length + 1;
	const distance = new Uint16Array((one.length + 1) * width);
	for (let i = one.length; i >= 0; i--)
		for (let j = other.length; j >= 0; j--) {
			const at = i * width + j;
			if (i === one.length) distance[at] = other.length - j;
			else if (j === other.length) distance[at] = one.length - i;
			else
				distance[at] = Math.min(
					(distance[at + width + 1] as number) +
						(one[i]?.text === other[j]?.text ? 0 : 1),
					(distance[at + width] as number) + 1,
					(distance[at + 1] as number) + 1,
				);
		}
	return distance;
}
