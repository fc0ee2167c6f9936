/** `tokens.txt` as publishers and editors write it: what is more than the model's symbols is no fault. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { kindCases, speechPieces, writtenCases } from "./cases.js";
import { openPublished } from "./models.js";

const samples = speechPieces().at(-1) as Float32Array;

/** What is recognized with the list that is published, and with a changed one. */
async function bothTexts(
	t: Test,
	name: string,
	changed: (list: string) => string,
): Promise<[string, string]> {
	const { folderOf, dispose } = writtenCases(
		kindCases.filter((it) => it.name === name),
	);
	t.teardown(dispose);
	const path = join(folderOf(name), "tokens.txt");
	const before = await textOf(folderOf(name));
	writeFileSync(path, changed(readFileSync(path, "utf8")));
	return [before, await textOf(folderOf(name))];
}

async function textOf(folder: string): Promise<string> {
	const recognizer = await openPublished(folder);
	try {
		const found = await recognizer.recognize({
			samples,
			language: "zh-cmn-Hans-CN",
			beam: 4,
			punctuation: true,
			words: false,
		});
		return found === "cancelled" ? found : found.text;
	} finally {
		await recognizer.close();
	}
}

/** icefall's lists have them behind the symbols that its models score. */
function withDisambiguation(list: string): string {
	const count = list.trim().split("\n").length;
	return `${list}#0 ${count}\n#1 ${count + 1}\n`;
}

for (const name of ["tiny-zipformer-ctc", "tiny-streaming-ctc"])
	t.test(`${name}: disambiguation symbols are not scored`, async (t) => {
		const [plain, more] = await bothTexts(t, name, withDisambiguation);
		t.match(plain, /\S/u);
		t.equal(more, plain);
	});

t.test(
	"an editor's mark of the encoding and line ends are no symbols",
	async (t) => {
		for (const changed of [
			(list: string) => `\ufeff${list}`,
			(list: string) => `\ufeff${list.replaceAll("\n", "\r\n")}`,
		]) {
			const [plain, other] = await bothTexts(t, "tiny-zipformer-ctc", changed);
			t.equal(other, plain);
		}
	},
);

t.test("other symbols than the model's are a fault", async (t) => {
	for (const more of ["word", "#", "#a", "<unk>"])
		await t.rejects(
			bothTexts(
				t,
				"tiny-zipformer-ctc",
				(list) => `${list}${more} ${list.trim().split("\n").length}\n`,
			),
			{ message: /tokens\.txt has \d+ symbols, the model scores/ },
			more,
		);
});
