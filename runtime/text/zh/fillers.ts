/**
 * Modal particles and fillers in Chinese. 嗯 and 呃 are always fillers; 啊, 哎 and similar only where they stand alone or open a sentence; 那个,
 * 这个 and 就是说 only between marks or where the speaker stumbles, never as demonstratives (那个人).
 */
import type { Span } from "../language-rules.js";

/** One sound, however long. */
const always = /(?:[嗯呃]|唔+(?![知会使该])|额(?=[，,、…]|额))+/y;
/** Between marks, or at the beginning of a sentence with a mark after it. */
const alone =
	/(?:哎呀|啊+|哎+|欸+|诶+|哦+|喔+|噢+|哼+|唉+|呀+|嘛|这个这个|那个那个|那个|这个|就是那个|然后那个|那什么)/y;
/** Never demonstratives: at the beginning of a clause they need no mark after them. */
const opening = /就是说|怎么说呢/y;
/** A mark. */
const border = /[，,、。．.！!？?；;：:…—\n]/;
/** 那个那个, 这个这个 in fluent speech: demonstratives are not repeated. */
const stumble = /(?:那个那个|这个这个)(?!人)/y;
/** At the beginning of a clause with a comma, too; not in 我要这个，这个不要. */
const openingStumble = /(?:那个，那个|这个，这个)(?!人)/y;
/** An answer, not a filler: 哦, 啊? stay if they are the whole sentence. */
const answers = /^(?:啊|哦|喔|噢|哎|欸|诶|唉|呀|嘛|哼|那个|这个)/;

export function fillers(text: string): Span[] {
	const found: Span[] = [];
	for (let at = 0; at < text.length; ) {
		const to = fillerAt(text, at);
		if (to === undefined) at++;
		else {
			found.push({ from: at, to });
			at = to;
		}
	}
	return found;
}

function fillerAt(text: string, at: number): number | undefined {
	const sound = match(always, text, at);
	if (sound !== undefined && !isQuantity(text, at)) return sound;
	const twice = match(stumble, text, at);
	if (twice !== undefined) return twice;
	const begins = at === 0 || border.test(text[at - 1] as string);
	const opened = begins
		? (match(openingStumble, text, at) ?? match(opening, text, at))
		: undefined;
	if (opened !== undefined) return opened;
	const word = match(alone, text, at);
	if (word === undefined) return undefined;
	const after = text[word];
	if (!begins) return undefined;
	if (after === undefined || !border.test(after)) return undefined;
	// a complete sentence is an answer
	const isAnswer =
		answers.test(text.slice(at, word)) && /[。．.！!？?]/.test(after);
	return isAnswer ? undefined : word;
}

/** 额 also occurs in words for amounts and the forehead: 金额，额度. */
function isQuantity(text: string, at: number): boolean {
	if (text[at] !== "额") return false;
	const before = text[at - 1];
	return before !== undefined && !border.test(before);
}

function match(pattern: RegExp, text: string, at: number): number | undefined {
	pattern.lastIndex = at;
	const found = pattern.exec(text)?.[0];
	return found ? at + found.length : undefined;
}
