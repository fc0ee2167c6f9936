import { readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { textCommand } from "../../runtime/cli/text.js";
import {
	furtherStrings,
	ofBytes,
	worstStrings,
} from "../hostile/worst-strings.js";
import { earshot } from "./earshot.js";
import { parsed } from "./parsed.js";

const text = (args: readonly string[], input = "") =>
	earshot(["text", ...args], {}, input);

t.test("a text is formatted like recognized text", async (t) => {
	const given = "嗯,会议三月五号下午三点半开";
	const ran = await text(["--lang", "zh", given]);
	t.same(ran, { code: 0, out: "会议3月5号下午3点半开\n", err: "" });
	const raw = ["--lang", "zh", "--no-itn", "--keep-fillers", given];
	t.equal((await text(raw)).out, "嗯，会议三月五号下午三点半开\n");
	t.equal(
		(await text(["--lang", "zh", "--no-punctuation", "你好，100块。"])).out,
		"你好100块\n",
	);
});

t.test("each step reports its changes", async (t) => {
	const ran = await text(["--lang", "zh", "--explain", "嗯,一共三百 块"]);
	t.equal(
		ran.out,
		[
			"given        嗯,一共三百 块",
			"fillers      嗯,一共三百 块 -> 一共三百 块",
			"numbers      一共三百 块 -> 一共300 块",
			"punctuation  一共300 块 -> 一共300块",
			"result       一共300块",
			"",
		].join("\n"),
	);
});

t.test("the page shows the actual output", async (t) => {
	const page = readFileSync(
		new URL("../../../docs/text.md", import.meta.url),
		"utf8",
	);
	const shown =
		/^\$ earshot text --lang zh --explain "(.*)"\n([\s\S]*?)```/m.exec(page);
	t.ok(shown);
	const ran = await text(["--lang", "zh", "--explain", shown?.[1] ?? ""]);
	t.equal(ran.out, shown?.[2]);
});

t.test("vocabularies are tried out, and bad entries reported", async (t) => {
	const folder = t.testdir({
		"corrections.txt": "ear shot|耳瘦特,earshot\nnothing\n",
		"forbidden.txt": "\ufeff敏感\r\n\r\n",
	});
	const ran = await text([
		"--lang",
		"zh",
		"--corrections",
		join(folder, "corrections.txt"),
		"--forbidden",
		join(folder, "forbidden.txt"),
		"耳瘦特很敏感",
	]);
	t.equal(ran.out, "earshot很**\n");
	t.match(
		ran.err,
		/corrections\.txt: 1 of 2 entries dropped: 1 with too few columns/,
	);
});

t.test("a list in another encoding is refused", async (t) => {
	const folder = t.testdir({
		"latin-1.txt": Buffer.from("Caf\u00e9\nM\u00fcller\n", "latin1"),
		"utf-16.txt": Buffer.from("\ufeffMorgan\n", "utf16le"),
	});
	for (const [option, name] of [
		["--forbidden", "latin-1.txt"],
		["--corrections", "utf-16.txt"],
	] as const) {
		const file = join(folder, name);
		const ran = await text(["--lang", "en", option, file, "a"]);
		t.same(ran, {
			code: 2,
			out: "",
			err: `earshot: ${file} must be text in UTF-8\n`,
		});
	}
});

t.test("whatever the lists and the texts contain, it ends", async (t) => {
	const bytes = 16 * 1024;
	const all = [...worstStrings, ...furtherStrings];
	const lines = all.map((it) => ofBytes(it, bytes).replaceAll("\n", "\t"));
	// sorting this takes a minute of work
	lines.push(`a${"\u0315\u0300".repeat(300_000)}`);
	const entries = lines
		.flatMap((it) => [it, `${it},x`, `x|${it},y`])
		.join("\n");
	const file = join(t.testdir({ entries }), "entries");
	const options = textCommand().options.filter((it) => it.required);
	t.ok(options.length >= 3, "--lang and the files");
	for (const lang of ["en", "zh", "ja"]) {
		const args = options.flatMap(({ long, flags }) =>
			flags.includes("<file>") ? [`${long}`, file] : [`${long}`, lang],
		);
		const ran = await text(args, lines.slice(0, all.length).join("\n"));
		t.equal(ran.code, 0);
		t.match(ran.err, /(\d+) of \1 entries dropped: \1 too long/);
	}
	const wrong = await text(["--lang", lines[0] ?? "", "a"]);
	t.match(wrong, { code: 2, err: /--lang must be one of .*; got / });
});

t.test("lines of standard input, as JSON", async (t) => {
	const ran = await text(["--lang", "zh", "--json"], "三百块\n\n十分感谢\n");
	const lines = ran.out
		.trim()
		.split("\n")
		.map((it) => JSON.parse(it));
	t.same(
		lines.map((it) => [it.given, it.text]),
		[
			["三百块", "300块"],
			["十分感谢", "十分感谢"],
		],
	);
	t.same(lines[0].steps[1], {
		name: "numbers",
		before: "三百块",
		after: "300块",
		edits: [{ from: 0, to: 2, text: "300" }],
	});
});

t.test("wrong usage is reported", async (t) => {
	const missing = await text(["--lang", "zh", "--forbidden", "/nowhere", "a"]);
	t.equal(missing.code, 2);
	t.match(missing.err, /\/nowhere: no such file/);
	await t.rejects(parsed(textCommand(), "a"), /--lang/, "no language");
});
