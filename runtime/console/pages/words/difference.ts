/** Two texts of one clip, word by word: what a list changed, for better and for worse. Pure. */

export interface Part {
	readonly text: string;
	readonly is: "same" | "gone" | "new";
}

export interface Difference {
	readonly before: readonly Part[];
	readonly after: readonly Part[];
	/** Words of the list that are new. */
	readonly brought: number;
	/** Other words that went or came, whichever are more. */
	readonly changed: number;
}

/** Words where spaces separate them, single characters elsewhere, marks and spaces by themselves. */
function tokensOf(text: string): readonly string[] {
	return text.match(/[\p{Script=Latin}\p{N}'’-]+|\s+|[^\s]/gu) ?? [];
}

export function difference(
	without: string,
	withList: string,
	words: readonly string[],
): Difference {
	const a = tokensOf(without);
	const b = tokensOf(withList);
	const kept = commonTokens(a, b);
	const before = a.map(
		(text, i): Part => ({ text, is: kept.ofA.has(i) ? "same" : "gone" }),
	);
	const after = b.map(
		(text, i): Part => ({ text, is: kept.ofB.has(i) ? "same" : "new" }),
	);
	const isMark = ({ text }: Part) => !/[\p{L}\p{N}]/u.test(text);
	const gone = before.filter((it) => it.is === "gone" && !isMark(it)).length;
	const came = after.filter((it) => it.is === "new" && !isMark(it)).length;
	const brought = words.reduce(
		(sum, word) =>
			sum + Math.max(0, times(withList, word) - times(without, word)),
		0,
	);
	const ofList = words.reduce(
		(sum, word) =>
			sum +
			(times(withList, word) > times(without, word)
				? tokensOf(word).filter((it) => it.trim()).length
				: 0),
		0,
	);
	return {
		before,
		after,
		brought,
		changed: Math.max(0, Math.max(gone, came) - ofList),
	};
}

function times(text: string, word: string): number {
	return word === ""
		? 0
		: text.toLowerCase().split(word.toLowerCase()).length - 1;
}

/** Longest common subsequence; texts of clips are short. */
function commonTokens(a: readonly string[], b: readonly string[]) {
	const width = b.length + 1;
	const lengths = new Uint32Array((a.length + 1) * width);
	const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
	for (let i = a.length - 1; i >= 0; i--)
		for (let j = b.length - 1; j >= 0; j--)
			lengths[i * width + j] =
				a[i] === b[j]
					? at(i + 1, j + 1) + 1
					: Math.max(at(i + 1, j), at(i, j + 1));
	const ofA = new Set<number>();
	const ofB = new Set<number>();
	for (let i = 0, j = 0; i < a.length && j < b.length; ) {
		if (a[i] === b[j]) {
			ofA.add(i++);
			ofB.add(j++);
		} else if (at(i + 1, j) >= at(i, j + 1)) i++;
		else j++;
	}
	return { ofA, ofB };
}

/** What may appear in a text because of a list: of a correction its right form, of a hotword its writing, which in Japanese has its reading and category behind it. */
export function broughtBy(
	kind: string,
	language: string,
	entries: readonly string[],
): readonly string[] {
	if (kind === "correction-words")
		return entries.map((it) => it.slice(it.lastIndexOf(",") + 1));
	if (kind === "hotwords" && language.startsWith("ja"))
		return entries.map((it) => it.split(",", 1)[0] ?? "");
	return entries;
}
