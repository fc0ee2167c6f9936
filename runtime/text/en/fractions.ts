/** English fractions: "one half" is 1/2, "two thirds" 2/3; a unit and an ordinal may also be one thing of a rank (one fifth grader). */
import type { Written } from "./dates.js";
import { smallValue } from "./number-words.js";
import { readTwo, wordAt } from "./read-number.js";
import type { Token } from "./tokens.js";

const parts: Readonly<Record<string, number>> = {
	half: 2,
	third: 3,
	fourth: 4,
	fifth: 5,
	sixth: 6,
	seventh: 7,
	eighth: 8,
	ninth: 9,
	tenth: 10,
	twelfth: 12,
	sixteenth: 16,
	twentieth: 20,
	hundredth: 100,
	thousandth: 1000,
	millionth: 1_000_000,
	billionth: 1_000_000_000,
};

/** One half, two thirds, three quarters; "a quarter" may be part of a year. */
export function readFraction(
	tokens: readonly Token[],
	i: number,
): Written | undefined {
	const over = smallValue(tokens[i]?.word);
	if (over === undefined || over < 1 || over > 19) return undefined;
	const word = wordAt(tokens, i + 1) ?? "";
	const ofIt = wordAt(tokens, i + 2) === "of";
	if (word === "quarters" && over === 3) return { next: i + 2, text: "3/4" };
	if (word === "quarter" && over === 1 && ofIt)
		return { next: i + 2, text: "1/4" };
	const singular = over === 1 ? word : word.replace(/s$/, "");
	if (over > 1 && !word.endsWith("s")) return undefined;
	const under = Object.hasOwn(parts, singular) ? parts[singular] : undefined;
	if (under === undefined || under <= over) return undefined;
	// one hundredth customer, one twentieth century castle, one twelfth man
	if ((under >= 100 || (/^tw/.test(singular) && over === 1)) && !ofIt)
		return undefined;
	if (over === 1 && isOneOfRank(tokens, i + 2)) return undefined;
	// six of one, half a dozen of the other
	if (under === 2 && /^an?$/.test(wordAt(tokens, i + 2) ?? ""))
		return undefined;
	return { next: i + 2, text: `${over}/${under}` };
}

/** "five and five eighths" is 5 5/8; "two and a half" is not written here. */
export function readMixedFraction(
	tokens: readonly Token[],
	i: number,
): Written | undefined {
	const whole = readTwo(tokens, i);
	if (!whole || whole.value === 0 || wordAt(tokens, whole.next) !== "and")
		return undefined;
	if (!tokens[whole.next + 1]?.joined || tokens[i - 1]?.word === "between")
		return undefined;
	const part = readFraction(tokens, whole.next + 1);
	return part && part.text !== "1/2"
		? { next: part.next, text: `${whole.value} ${part.text}` }
		: undefined;
}

/** What an ordinal numbers rather than divides. */
const ranked =
	/^(?:part(?:y|ies)|person|place|world|base|grade|graders?|floor|inning|quarter|generation|wheel|century|anniversary|birthday)$/;

/** "one third-party library", "one fifth grader": one thing, and an ordinal. @param i after the ordinal. */
function isOneOfRank(tokens: readonly Token[], i: number): boolean {
	const ordinal = tokens[i - 1];
	const after = tokens[i];
	if (after?.word === "-" && after.from === ordinal?.to) return true;
	return ordinal?.word !== "half" && ranked.test(wordAt(tokens, i) ?? "");
}
