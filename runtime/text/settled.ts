/**
 * A rule made of two may find more on its own result: what one wrote is read by the other. Applied until it is settled, and told as edits of the first text.
 */
import { type Edit, editText, type TextRule } from "./edits.js";

/** Texts that go on changing are left as they are by then. */
const roundsMax = 3;

export function settled(rule: TextRule): TextRule {
	return (text) => {
		let edits = rule(text);
		for (let round = 1; round < roundsMax && edits.length > 0; round++) {
			const more = rule(editText(text, edits));
			if (more.length === 0) break;
			edits = composed(text, edits, more);
		}
		return edits;
	};
}

/** @param second edits of what `first` made of the text. @returns edits of the text that do both. */
function composed(
	text: string,
	first: readonly Edit[],
	second: readonly Edit[],
): Edit[] {
	const between = editText(text, first);
	const written = placed(first);
	const stretches = union(written, second);
	const edits: Edit[] = [];
	let shift = 0; // from the text between back to the text
	let i = 0;
	let k = 0;
	for (const { from, to } of stretches) {
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
	/** Where what an edit wrote stands, */
	readonly from: number;
	readonly to: number;
	/** and how much longer it is than what stood there. */
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

/** Stretches that the one or the other covers, in order; those that overlap are one. */
function union(
	a: readonly Placed[],
	b: readonly Edit[],
): { from: number; to: number }[] {
	const all = [...a, ...b]
		.map(({ from, to }) => ({ from, to }))
		.sort((x, y) => x.from - y.from || x.to - y.to);
	const stretches: { from: number; to: number }[] = [];
	for (const it of all) {
		const last = stretches.at(-1);
		if (last && it.from < last.to) last.to = Math.max(last.to, it.to);
		else stretches.push(it);
	}
	return stretches;
}
