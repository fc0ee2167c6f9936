/**
 * A rule may find more in its own result: its edit at one position may enable another. Here it is applied until nothing changes, and the total is
 * returned as edits of the original text.
 *
 * INVARIANT: one call suffices, whatever the rule: the result is a text that the rule leaves unchanged. If the rule does not terminate,
 * no edits are returned, and the next call returns none again.
 */
import { type Edit, editText, type TextRule } from "./edits.js";

/** Normal speech is settled after one round, rarely two; a row of ranges (一到二到三) needs one round for each. */
const roundsMax = 16;

export function settled(rule: TextRule): TextRule {
	return (text) => {
		let edits: readonly Edit[] = [];
		let written = text;
		for (let round = 0; round < roundsMax; round++) {
			const more = rule(written);
			const next = editText(written, more);
			if (next === written) return edits;
			edits = round === 0 ? more : composed(text, edits, more);
			written = next;
		}
		return [];
	};
}

/** @param second edits of the text after `first`. @returns edits of the original text that do both. */
function composed(
	text: string,
	first: readonly Edit[],
	second: readonly Edit[],
): Edit[] {
	const between = editText(text, first);
	const written = placed(first);
	const ranges = union(written, second);
	const edits: Edit[] = [];
	let shift = 0; // offset from the intermediate text back to the original
	let i = 0;
	let k = 0;
	for (const { from, to } of ranges) {
		const fromBefore = from + shift;
		for (; i < written.length && (written[i] as Placed).to <= to; i++)
			shift -= (written[i] as Placed).grown;
		const inside: Edit[] = [];
		for (; k < second.length && (second[k] as Edit).to <= to; k++) {
			const it = second[k] as Edit;
			inside.push({ ...it, from: it.from - from, to: it.to - from });
		}
		edits.push({
			from: fromBefore,
			to: to + shift,
			text: editText(between.slice(from, to), inside),
		});
	}
	return edits;
}

interface Placed {
	/** The range of the replacement in the new text, */
	readonly from: number;
	readonly to: number;
	/** and how much longer it is than what it replaced. */
	readonly grown: number;
}

function placed(edits: readonly Edit[]): Placed[] {
	let shift = 0;
	return edits.map(({ from, to, text }) => {
		const grown = text.length - (to - from);
		const start = from + shift;
		shift += grown;
		return { from: start, to: start + text.length, grown };
	});
}

/** Ranges covered by either list, in order; overlapping ones are joined. */
function union(
	a: readonly Placed[],
	b: readonly Edit[],
): { from: number; to: number }[] {
	const all = [...a, ...b]
		.map(({ from, to }) => ({ from, to }))
		.sort((x, y) => x.from - y.from || x.to - y.to);
	const ranges: { from: number; to: number }[] = [];
	for (const it of all) {
		const last = ranges.at(-1);
		if (last && it.from < last.to) last.to = Math.max(last.to, it.to);
		else ranges.push(it);
	}
	return ranges;
}
