/** Limits of a correction, and of the corrections of a list and of a request (docs/word-lists.md). */
import t from "tap";
import { startLists } from "./word-lists.js";

const path = "/v1/correction-words";

const forms = (count: number, form = (it: number) => it.toString(36)) =>
	Array.from({ length: count }, (_, it) => form(it)).join("|");
/** A number of entries, each with a number of wrong forms, all different. */
const vocabulary = (entries: number, each: number, form = "") =>
	Array.from(
		{ length: entries },
		(_, entry) => `${forms(each, (it) => `${form}${entry}x${it}`)},right`,
	);

t.test("an entry with too many wrong forms is left out", async (t) => {
	const { ask, make, wordsOf } = await startLists(t);
	const words = [`${forms(100)},right`, `${forms(101)},right`, "a||b|,c"];
	t.match(await ask("POST", path, { id: "v", lang_type: "en", words }), {
		message: "success; 1 of 3 entries dropped: 1 with too many wrong forms",
	});
	t.same(await wordsOf(path, "v"), [words[0], "a|b,c"]);
	t.match(await ask("POST", `${path}/v`, { words: [words[1]] }), {
		message: "success; 1 of 1 entry dropped: 1 with too many wrong forms",
		data: 2,
	});
	await make(path, [], { id: "w" });
	t.match(await ask("PUT", `${path}/w`, { words }), {
		message: "success; 1 of 3 entries dropped: 1 with too many wrong forms",
	});
});

t.test("an entry with too many bytes is left out", async (t) => {
	const { ask, wordsOf } = await startLists(t);
	// 30 characters beyond the first plane are 120 bytes
	const long = (count: number) =>
		`${forms(count, (it) => `${"𠮷".repeat(28)}${10 + it}`)},x`;
	const words = [long(35), long(36)];
	t.match(
		words.map((it) => Buffer.byteLength(it)),
		[4026, 4141],
	);
	t.match(await ask("POST", path, { id: "v", lang_type: "zh", words }), {
		message: "success; 1 of 2 entries dropped: 1 too long",
	});
	t.same(await wordsOf(path, "v"), [words[0]]);
});

t.test("both limits can be configured", async (t) => {
	const limits = { correction_wrong_forms_max: 2, correction_bytes_max: 512 };
	const { ask } = await startLists(t, { limits });
	const words = ["a|b,c", "a|b|d,c", `${" ".repeat(600)}e,f`];
	t.match(await ask("POST", path, { lang_type: "en", words }), {
		message:
			"success; 2 of 3 entries dropped: 1 with too many wrong forms, 1 too long",
	});
});

t.test("a vocabulary has 50,000 wrong forms at most", async (t) => {
	const { ask, make } = await startLists(t);
	const id = await make(path, vocabulary(500, 100));
	const tooMany = {
		http: 400,
		status: "211400",
		message:
			"a correction vocabulary holds at most 50000 wrong forms, this would make more",
	};
	t.match(await ask("POST", `${path}/${id}`, { words: ["one,more"] }), tooMany);
	const words = vocabulary(501, 100);
	t.match(await ask("PUT", `${path}/${id}`, { words }), tooMany);
	t.match(await ask("POST", path, { lang_type: "en", words }), tooMany);
	t.match(await ask("DELETE", `${path}/${id}`, { words: [words[3]] }), {
		data: 499,
	});
	t.match(await ask("POST", `${path}/${id}`, { words: ["one,more"] }), {
		data: 500,
	});
});

t.test("a request names 100,000 wrong forms at most", async (t) => {
	const { api, make } = await startLists(t);
	for (const id of ["a", "b", "c"])
		await make(path, vocabulary(400, 100, id), { id });
	t.match(await api.recognize("lang_type=en&correction_words_id=a|b"), {
		status: "000000",
	});
	t.match(await api.recognize("lang_type=en&correction_words_id=a|b|c"), {
		status: "200002",
		message:
			"correction_words_id must name lists of at most 100000 wrong forms together, got 120000",
	});
	t.match(await api.recognize("lang_type=en&correction_words_id=all"), {
		status: "200002",
	});
});

t.test(
	"a request names four million characters of lists at most",
	async (t) => {
		const { api, make } = await startLists(t);
		const forbidden = "/v1/forbidden-words";
		const long = (name: string) =>
			Array.from({ length: 20_000 }, (_, it) => `${name}${it}`.padEnd(30, "x"));
		await make("/v1/hotwords", long("h"), { id: "h" });
		for (const id of ["a", "b"]) {
			await make(
				path,
				long(id).map((it) => `${it},${it}`),
				{ id },
			);
			await make(forbidden, long(id), { id });
		}
		const lists = "lang_type=en&hotwords_id=h&correction_words_id=a";
		t.match(await api.recognize(`${lists}&forbidden_words_id=all`), {
			status: "000000",
		});
		t.match(await api.recognize(`${lists}|b&forbidden_words_id=all`), {
			status: "200002",
			message:
				"forbidden_words_id must name lists of at most 4000000 characters together, got 4240000",
		});
	},
);

t.test("a request names a thousand lists at most", async (t) => {
	const auth = { rate_per_second: 10_000, rate_burst: 10_000 };
	const { api, make } = await startLists(t, { auth });
	const makeNth = (it: number) =>
		make(path, ["a,b"], { id: `v${it}`, lang_type: it > 999 ? "zh" : "en" });
	// one address may not have so many connections at once
	for (let first = 0; first < 1001; first += 91)
		await Promise.all(Array.from({ length: 91 }, (_, i) => makeNth(first + i)));
	const all = "lang_type=en&correction_words_id=all";
	t.match(await api.recognize(all), { status: "000000" });
	await make(path, [], { id: "one-more" });
	t.match(await api.recognize(all), {
		status: "200002",
		message: "correction_words_id must name at most 1000 lists, got 1001",
	});
});
