/**
 * Two hypotheses of one sound, the likeliest and the one with the hotwords, made into one text. They are laid side by side token by token; of the places
 * where they differ, only those become the favoured one's that hold a hotword, and only where its bonus outweighs what it is less likely there. So a
 * hotword decides about its own place and no other.
 */

export interface Hypothesized {
	readonly tokens: readonly number[];
	/** Of each token, and of the end. */
	readonly logp: readonly number[];
}

/** Tokens that say a hotword, `to` excluded, and what it is worth. */
export interface HotwordSpan {
	readonly from: number;
	readonly to: number;
	readonly bonus: number;
}

/** Stretches that stand for each other. */
interface Difference {
	readonly plain: Stretch;
	readonly favoured: Stretch;
}

interface Stretch {
	readonly from: number;
	readonly to: number;
}

/** What is said in one place changes what is likely behind it: so many tokens that are the same again count with it. */
const tokensBehind = 3;

/**
 * @param plainSpans hotwords in the plain hypothesis. @param favouredSpans in the favoured one.
 * @returns the plain hypothesis itself where nothing of the other is taken.
 */
export function mergeHypotheses(
	plain: Hypothesized,
	favoured: Hypothesized,
	plainSpans: readonly HotwordSpan[],
	favouredSpans: readonly HotwordSpan[],
): Hypothesized {
	const differences = joined(
		differencesOf(plain.tokens, favoured.tokens),
		favouredSpans,
	);
	const tokens: number[] = [];
	const logp: number[] = [];
	let at = 0; // in the plain one
	differences.forEach((one, i) => {
		const behind = Math.min(
			tokensBehind,
			(differences[i + 1]?.plain.from ?? plain.logp.length) - one.plain.to,
		);
		const gain =
			sumOf(favoured.logp, one.favoured, behind) -
			sumOf(plain.logp, one.plain, behind) +
			bonusIn(favouredSpans, one.favoured) -
			bonusIn(plainSpans, one.plain);
		const isFavoured =
			gain > 0 && favouredSpans.some((span) => touches(span, one.favoured));
		if (!isFavoured) return;
		tokens.push(
			...plain.tokens.slice(at, one.plain.from),
			...favoured.tokens.slice(one.favoured.from, one.favoured.to),
		);
		logp.push(
			...plain.logp.slice(at, one.plain.from),
			...favoured.logp.slice(one.favoured.from, one.favoured.to),
		);
		at = one.plain.to;
	});
	if (at === 0 && tokens.length === 0) return plain;
	return {
		tokens: [...tokens, ...plain.tokens.slice(at)],
		logp: [...logp, ...plain.logp.slice(at)],
	};
}

/** Differences that one hotword lies across are one. */
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

/** A stretch of no tokens is touched where it lies inside. */
function touches(span: HotwordSpan, { from, to }: Stretch): boolean {
	return from === to
		? span.from < from && from < span.to
		: span.from < to && from < span.to;
}

function bonusIn(spans: readonly HotwordSpan[], stretch: Stretch): number {
	let bonus = 0;
	for (const span of spans) if (touches(span, stretch)) bonus += span.bonus;
	return bonus;
}

function sumOf(
	logp: readonly number[],
	{ from, to }: Stretch,
	behind: number,
): number {
	let sum = 0;
	for (let i = from; i < to + behind; i++) sum += logp[i] ?? 0;
	return sum;
}

/** Where the two differ when laid side by side with the fewest changes. */
function differencesOf(
	one: readonly number[],
	other: readonly number[],
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
		if (one[i] === other[j] && distance[(i + 1) * width + j + 1] === here) {
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

/** Levenshtein's distance of what remains from each place on: [one + 1, other + 1]. */
function distances(
	one: readonly number[],
	other: readonly number[],
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
					(distance[at + width + 1] as number) + (one[i] === other[j] ? 0 : 1),
					(distance[at + width] as number) + 1,
					(distance[at + 1] as number) + 1,
				);
		}
	return distance;
}
