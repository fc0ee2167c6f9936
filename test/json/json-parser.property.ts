/** Accepts and refuses the same as JSON.parse, within the additional bounds. */
import assert from "node:assert/strict";
import { jsonOf } from "../../runtime/json/json-parser.js";
import type { Property } from "../fuzz/property.js";
import { below, pick, type Random, several } from "../fuzz/random.js";

const strings = [
	...["", "a", "lang_type", "__proto__", "0", "\u9234\u6728", "\u{20bb7}"],
	...["10", "9", "01", "-1", "1024", "4294967294", "4294967295"],
	...['"', "\\", '\\\\"', "\n", "\u2028", "\ud800", "\u007f", "x".repeat(40)],
];
const numbers = ["0", "-0", "12", "-1.5e+3", "1E400", "0.1", "9".repeat(30)];
const marks = [...'{}[],:"\\ \n0e-+.tn\u0000\ud800'];

function drawValue(random: Random, depth: number): string {
	switch (below(random, depth > 0 ? 6 : 4)) {
		case 0:
			return pick(random, ["null", "true", "false"]);
		case 1:
			return pick(random, numbers);
		case 2:
			return JSON.stringify(pick(random, strings));
		case 3:
			// in other notations than JavaScript's own
			return `"${pick(random, ["\\u0061", "\\/", "\\ud83d\\ude00", "\\b\\f"])}"`;
		case 4:
			return `[${members(random, () => drawValue(random, depth - 1))}]`;
		default:
			return `{${members(random, () => drawMember(random, depth))}}`;
	}
}

function drawMember(random: Random, depth: number): string {
	const name = JSON.stringify(pick(random, strings));
	return `${name}${pick(random, spaces)}:${drawValue(random, depth - 1)}`;
}

function members(random: Random, draw: () => string): string {
	return several(random, 4, draw).join(`${pick(random, spaces)},`);
}

const spaces = ["", " ", "\t\r\n"];

/** Inserts, replaces or removes a mark somewhere. */
function damaged(random: Random, text: string): string {
	const at = below(random, text.length + 1);
	const gone = below(random, 2);
	const come = pick(random, ["", ...marks]);
	return text.slice(0, at) + come + text.slice(at + gone);
}

export const readsAsJsonParse = (): Property<string> => ({
	name: "json/parser",
	promise: "it reads what JSON.parse reads, and nothing else",
	draw(random) {
		let text = drawValue(random, 4);
		for (let times = below(random, 3); times > 0; times--)
			text = damaged(random, text);
		return text;
	},
	check(text) {
		let expected: unknown;
		try {
			expected = JSON.parse(text);
		} catch {
			assert.throws(() => jsonOf(text), SyntaxError);
			return "refused";
		}
		const read = jsonOf(text);
		assert.deepEqual(read, expected);
		// the order of names, and minus zero
		assert.equal(JSON.stringify(read), JSON.stringify(expected));
		return "read";
	},
});
