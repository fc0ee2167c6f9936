/** Shared by the tests of the languages' number rules. */
import type { Edit, TextRule } from "../../runtime/text/edits.js";

export function apply(text: string, edits: readonly Edit[]): string {
	let written = "";
	let at = 0;
	for (const { from, to, text: instead } of edits) {
		if (from < at || to < from || to > text.length)
			throw new Error(`edits out of order: ${JSON.stringify(edits)}`);
		written += text.slice(at, from) + instead;
		at = to;
	}
	return written + text.slice(at);
}

interface Test {
	fail(message: string): unknown;
}

/** The shown part of a growing text stays a prefix of later text. @param cut where the text may end for a while. */
export function growRule(
	t: Test,
	rule: TextRule,
	openFrom: (text: string) => number,
	texts: readonly string[],
	cut: (text: string, at: number) => boolean,
): void {
	for (const text of texts) {
		const whole = apply(text, rule(text));
		for (let at = 1; at < text.length; at++) {
			if (!cut(text, at)) continue;
			const part = text.slice(0, at);
			const shown = part.slice(0, openFrom(part)).trimEnd();
			const written = apply(shown, rule(shown));
			if (!whole.startsWith(written))
				t.fail(`${part}: ${written} was shown of ${whole}`);
		}
	}
}

/** Texts that make a careless rule take quadratic time. */
export const longTexts: readonly string[] = [
	..."一〇十千点の、から0９.,-/:a 😀",
	"一の",
	"一、",
	"三から",
	"一点",
	"三分の",
	"二千",
	"1,",
	"1,234,",
	"1-",
	"1:",
	"1.",
	"one ",
	"twenty ",
	"one hundred ",
	"one hundred and ",
	"one point ",
	"five to ",
	"one, ",
	"twenty-",
	"the ",
	"march ",
	"uh, ",
	"you know, ",
	"えーと",
	"あの、",
	"ｱ",
	"か\u3099",
	"א",
].map((it) => it.repeat(Math.ceil(10_000 / it.length)));
