/** Rules that change their own results: wrapped by `settled` they do not, whatever the text. */
import t from "tap";
import type { TextRule } from "../../runtime/text/edits.js";
import { settled } from "../../runtime/text/settled.js";
import { apply } from "./numbers.js";

/** @param from replaced with `to` at its first occurrence. */
function writing(from: string, to: string): TextRule {
	return (text) => {
		const at = text.indexOf(from);
		return at === -1 ? [] : [{ from: at, to: at + from.length, text: to }];
	};
}

const rules: Readonly<Record<string, TextRule>> = {
	"one at a time": writing("a", "b"),
	"for ever longer": writing("a", "aa"),
	"there and back": (text) =>
		writing("a", "b")(text).concat(writing("b", "a")(text)).slice(0, 1),
	"edits that change nothing": writing("a", "a"),
	"a chain": (text) =>
		["ab", "bc", "cd", "dc"]
			.flatMap((it) => writing(it[0] as string, it[1] as string)(text))
			.slice(0, 1),
};
const texts = ["", "x", "a", "ab", "axbxa", "aaaa", "a".repeat(40)];

t.test("any rule is settled after one call", async (t) => {
	for (const [name, rule] of Object.entries(rules))
		for (const text of texts) {
			const once = apply(text, settled(rule)(text));
			t.equal(apply(once, settled(rule)(once)), once, `${name}: ${text}`);
		}
});

t.test("several rounds are done in one call", async (t) => {
	const rule = settled(writing("a", "b"));
	t.equal(apply("xaaax", rule("xaaax")), "xbbbx");
});

t.test(
	"a rule that does not terminate leaves the text unchanged",
	async (t) => {
		const rule = settled(writing("a", "aa"));
		t.same(rule("xax"), []);
	},
);
