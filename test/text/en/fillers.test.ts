import t from "tap";
import { findFillers } from "../../../runtime/text/en/fillers.js";
import { longTexts } from "../numbers.js";
import { randomTexts } from "../random-texts.js";

/** Texts with their fillers in brackets. */
const cases: readonly string[] = [
	"[Uh], I don't know.",
	"I, [um], think so.",
	"It is [uh] five o'clock.",
	"[Hmm], let me see.",
	"Well, [er], maybe.",
	"[Umm] [uhh] yes.",
	"It was, [you know], difficult.",
	"[You know], it is late.",
	"It is late, [you know].",
	"[I mean], it works.",
	"It works, [I mean], mostly.",
	"Yes, [uh], [you know], sure.",
	// words, not fillers
	"Do you know him?",
	"You know him.",
	"You know.",
	"What I mean is this.",
	"I mean it.",
	"She said I mean well.",
	"uh-huh",
	"Mm-hmm, yes.",
	"uh-oh",
	"The ER was full.",
	"UM beat MSU.",
	"5 mm of rain",
	"An umbrella and a human error.",
	"erstwhile",
	"Err on the side of caution.",
	"To err is human.",
	"hamming and humming",
	"",
];

t.test("fillers are found, words that sound like them are not", (t) => {
	for (const marked of cases) {
		const text = marked.replace(/[[\]]/g, "");
		let found = text;
		for (const { from, to } of findFillers(text).toReversed())
			found = `${found.slice(0, from)}[${found.slice(from, to)}]${found.slice(to)}`;
		t.equal(found, marked, marked);
	}
	t.end();
});

t.test("spans are in order on any text", (t) => {
	for (const text of [...randomTexts(t, 1000), ...longTexts]) {
		let at = 0;
		for (const { from, to } of findFillers(text)) {
			if (from < at || to <= from || to > text.length) t.fail(text);
			at = to;
		}
	}
	t.end();
});
