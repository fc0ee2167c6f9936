/** Texts that cost a careless program most, as long as one likes. */
export interface WorstString {
	readonly name: string;
	/** @param times of what it repeats. */
	make(times: number): string;
	/** Of what it repeats, in UTF-8, as JSON writes it. */
	readonly bytesEach: number;
}

function worst(
	name: string,
	each: string,
	make: WorstString["make"],
): WorstString {
	const bytesEach = Buffer.byteLength(JSON.stringify(each)) - 2;
	return { name, make, bytesEach };
}

function repeated(name: string, each: string, head = "", tail = "") {
	return worst(name, each, (times) => head + each.repeat(times) + tail);
}

export const worstStrings: readonly WorstString[] = [
	// normalising sorts them, with the square of their number
	repeated("unordered combining marks", "\u0315\u0300", "a"),
	repeated("a correction of combining marks", "\u0315\u0300", "a", ",b"),
	repeated("a chain of joined pictures", "\u{1f469}\u200d"),
	repeated("separators", ",", "a", "b"),
	repeated("ids behind bars", "a|", "", "!"),
	repeated("lines", "\n"),
	worst("lists in lists", "[]", (n) => "[".repeat(n) + "]".repeat(n)),
	repeated("a list of lists", "[],", "[", "[]]"),
	repeated("quotes in quotes", '\\"', '["', '"]'),
	repeated("characters beyond the first plane", "\u{20bb7}"),
	repeated("halves of surrogate pairs", "\ud800"),
	repeated("a huge number", "9"),
	// a star that gives back what the next one takes again
	repeated("kana and what is none", "\u3042", "\u9234,", "x,\u4eba\u540d"),
	repeated(
		"a reading of combining marks",
		"\u0315\u0300",
		"\u9234,\u3042",
		",\u4eba\u540d",
	),
];

/** Where a text is none of the values anyhow: what normalising, a pattern, a parser and a number would trip over. scripts/fuzz tries all. */
export const worstForChoices: readonly WorstString[] = worstStrings.filter(
	({ name }) =>
		/^(unordered|ids behind|lists in lists|a huge number)/.test(name),
);

/** Not worse than those, as far as is known: tried by scripts/fuzz alone. */
export const furtherStrings: readonly WorstString[] = [
	repeated("bars", "|"),
	repeated("spaces and a letter", " ", "", "x"),
	worst(
		"objects in objects",
		'{"a":}',
		(n) => `${'{"a":'.repeat(n)}1${"}".repeat(n)}`,
	),
	// one becomes eighteen
	repeated("what grows when it is normalised", "\ufdfa"),
];

/** At most so many bytes as JSON. */
export function ofBytes(string: WorstString, bytes: number): string {
	const room = bytes - 32; // head and tail
	return string.make(Math.max(1, Math.floor(room / string.bytesEach)));
}
