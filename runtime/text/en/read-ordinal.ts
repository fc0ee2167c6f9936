/** English ordinals and years over tokens: "twenty first", "one hundred and fifth"; "twenty twenty six", "nineteen oh five", "the nineteen eighties". */
import {
	decadeValue,
	isTeen,
	isTens,
	ordinalValue,
	scaleValue,
	smallValue,
} from "./number-words.js";
import { readCardinal, readTwo, wordAt } from "./read-number.js";
import type { Token } from "./tokens.js";

/** Twenty first, one hundred and fifth. */
export function readOrdinal(
	tokens: readonly Token[],
	i: number,
): { next: number; value: number } | undefined {
	if (tokens[i]?.glued) return undefined;
	const alone = ordinalValue(tokens[i]?.word);
	if (alone !== undefined) return { next: i + 1, value: alone };
	const whole = readCardinal(tokens, i);
	if (!whole || whole.value === 0) return undefined;
	const and = wordAt(tokens, whole.next) === "and" ? 1 : 0;
	const at = whole.next + and;
	const last = ordinalValue(wordAt(tokens, at));
	if (last !== undefined && last > 0) {
		const fits =
			(and === 0 &&
				last < 10 &&
				whole.value % 100 >= 20 &&
				whole.value % 10 === 0) ||
			(whole.value % 100 === 0 && whole.value >= 100);
		return fits ? { next: at + 1, value: whole.value + last } : undefined;
	}
	if (and === 1) return undefined;
	const named = wordAt(tokens, whole.next);
	const size =
		named === "hundredth" ? 100 : scaleValue(named?.replace(/th$/, ""));
	if (size === undefined || !named?.endsWith("th")) return undefined;
	return { next: whole.next + 1, value: whole.value * size };
}

/** Twenty twenty six, nineteen oh five, nineteen eighties: pairs, as years are spoken. */
export function readYear(
	tokens: readonly Token[],
	i: number,
): { next: number; text: string; pair: boolean } | undefined {
	const first = tokens[i];
	if (first === undefined || first.glued) return undefined;
	if (first.kind === "digits" && /^[12]\d{3}$/.test(first.word))
		return { next: i + 1, text: first.word, pair: true };
	const century = smallValue(first.word);
	if (century === undefined) return undefined;
	if (century < 13 || century > 20) return readThousands(tokens, i);
	const second = wordAt(tokens, i + 1);
	const decade = second === "hundreds" ? 0 : decadeValue(second);
	if (decade !== undefined)
		return { next: i + 2, text: `${century * 100 + decade}s`, pair: true };
	if (second === "hundred") return readThousands(tokens, i);
	if (second === "oh" || second === "o") {
		const unit = smallValue(wordAt(tokens, i + 2));
		if (unit === undefined || unit < 1 || unit > 9) return undefined;
		return { next: i + 3, text: `${century}0${unit}`, pair: true };
	}
	if (!isTens(second) && !isTeen(second)) return undefined;
	const rest = readTwo(tokens, i + 1);
	return (
		rest && { next: rest.next, text: `${century}${rest.value}`, pair: true }
	);
}

/** Two thousand and six, nineteen hundred. */
function readThousands(tokens: readonly Token[], i: number) {
	const whole = readCardinal(tokens, i);
	if (!whole || whole.value < 1100 || whole.value > 2099) return undefined;
	return { next: whole.next, text: String(whole.value), pair: false };
}
