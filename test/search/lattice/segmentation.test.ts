import t, { type Test } from "tap";
import { segmentationLogp } from "../../../runtime/search/lattice/segmentation.js";
import { wordLogpMin } from "../../../runtime/text/zh/word-source.js";
import { toyLexicon } from "./toy-evidence.js";

const lexicon = toyLexicon();

function logpOf(text: string): number {
	return segmentationLogp([...text], lexicon);
}

function words(...texts: readonly string[]): number {
	return texts.reduce((sum, it) => sum + lexicon.logpOf(it), 0);
}

function near(t: Test, one: number, other: number) {
	t.ok(Math.abs(one - other) < 1e-4, `${one} is ${other}`);
}

t.test("a text is as likely as its best segmentation", async (t) => {
	near(t, logpOf("广州市房地产"), words("广州市", "房地产"));
	near(t, logpOf("他们在银行"), words("他们", "在", "银行"));
	near(t, logpOf("犇"), wordLogpMin);
	t.equal(logpOf(""), 0);
});

t.test("words in other scripts cost the same, whatever they are", async (t) => {
	const spoken = ["在", "wi-fi", "在"];
	near(
		t,
		segmentationLogp(spoken, lexicon),
		segmentationLogp(["在", "supercalifragilistic", "在"], lexicon),
	);
	near(t, segmentationLogp(["ok"], lexicon), -4);
});

t.test("a number costs its length, not its digits", async (t) => {
	near(t, logpOf("二零一七"), logpOf("九八四六"));
	near(t, logpOf("在二零一七"), words("在") + logpOf("二零一七"));
	t.ok(
		logpOf("二零一七") > 4 * wordLogpMin + 40,
		"far likelier than rare words",
	);
	near(t, logpOf("五"), words("五"));
});
