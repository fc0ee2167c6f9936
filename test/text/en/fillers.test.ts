import t from "tap";
import { findFillers } from "../../../runtime/text/en/fillers.js";
import { holds } from "../../fuzz/holds.js";
import { fillersInOrder, inOrder } from "../fillers.property.js";
import { longTexts } from "../numbers.js";

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

await holds(t, fillersInOrder("en"), 1000);

t.test("spans are in order on long texts", async (t) => {
	for (const text of longTexts)
		t.ok(inOrder(findFillers(text), text), text.slice(0, 9));
});
