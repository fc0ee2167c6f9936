/** A list's entries in an answer: the texts are short, whatever the entries are, and each can be sent by itself. */
import t from "tap";
import {
	linesOf,
	listInJson,
} from "../../runtime/api/word-lists/entry-texts.js";

// the first has odd length before its pairs, so that a cut at an even place falls into one
const entries = [
	`a${"😀".repeat(30_000)}`,
	"",
	'quoted "b"\t\\',
	"\ud83d alone",
	"東京,とうきょう",
];

/** As a client gets them: encoded one by one. */
const sent = (texts: readonly string[]) =>
	Buffer.concat(texts.map((it) => Buffer.from(it))).toString();

t.test("JSON", async (t) => {
	const texts = [...listInJson({ id: "one", amount: 5 }, entries)];
	t.ok(texts.every((it) => it.length <= 32 * 1024));
	const whole = { id: "one", amount: 5, words: entries };
	t.equal(sent(texts), JSON.stringify(whole), "the same bytes");
	const none = [...listInJson({ id: "none" }, [])].join("");
	t.equal(none, '{"id":"none","words":[]}');
});

t.test("lines", async (t) => {
	const texts = [...linesOf("header", entries)];
	t.ok(texts.every((it) => it.length <= 32 * 1024));
	const whole = ["header", ...entries, ""].join("\n");
	t.equal(sent(texts), Buffer.from(whole).toString());
	t.equal([...linesOf("header", [])].join(""), "header\n");
});
