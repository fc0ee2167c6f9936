import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { missing, modelDir, probeClip, skipped } from "../engine/real-lane.js";
import { earshot } from "./earshot.js";

const transcribeWith = (models: string, ...args: string[]) =>
	earshot(["transcribe", ...args], { EARSHOT_MODEL_DIR: models });
const transcribe = (...args: string[]) => transcribeWith(modelDir, ...args);

t.test("a missing file is reported in one line", async (t) => {
	const ran = await transcribe("/nowhere/a.wav");
	t.same(ran, {
		code: 1,
		out: "",
		err: "earshot: /nowhere/a.wav: no such file\n",
	});
});

t.test("a folder is not a file", async (t) => {
	const folder = t.testdir();
	const { code, err } = await transcribe(folder);
	t.equal(code, 1);
	t.match(err, /is a directory/);
});

t.test("an unknown language is wrong usage", async (t) => {
	const { code, err } = await transcribe("--lang", "klingon", "x.wav");
	t.equal(code, 2);
	t.match(err, /--lang must be one of .*zh.*; got klingon/);
	t.equal((await transcribe()).code, 2, "no file at all");
});

t.test(
	"hotwords must come from an existing file, with a valid weight",
	async (t) => {
		const none = await transcribe("--hotwords", "/nowhere/words", "x.wav");
		t.equal(none.code, 2);
		t.match(none.err, /\/nowhere\/words: no such file/);
		const heavy = await transcribe("--hotwords-weight", "2", "x.wav");
		t.equal(heavy.code, 2);
		t.match(
			heavy.err,
			/--hotwords-weight must be a number from 0.1 to 1, got 2/,
		);
	},
);

t.test(
	"weights beside hotwords, as other servers' files have them, are reported",
	async (t) => {
		const errorOf = async (words: string) => {
			const file = join(t.testdir({ words }), "words");
			return (await transcribe("--hotwords", file, "/nowhere/a.wav")).err;
		};
		for (const weighted of [
			"阿里巴巴 20\n豹猫 30\n停滞\n",
			"阿里巴巴 :2.0\nearshot:1.5\n",
		])
			t.match(
				await errorOf(weighted),
				/words: 2 of [23] lines end in a number, .*--hotwords-weight.*\n/,
			);
		for (const plain of ["iPhone 15\n停滞\n", "GPT4\n豹猫\nB2B\n", "2026\n"])
			t.match(await errorOf(plain), /^earshot: \/nowhere\/a.wav[^\n]*\n$/);
	},
);

t.test("the number of speakers must be valid", async (t) => {
	for (const wrong of ["0", "11", "two", "-1"]) {
		const { code, err } = await transcribe("--speakers", wrong, "x.wav");
		t.equal(code, 2);
		t.match(
			err,
			`--speakers must be auto or a number from 1 to 10, got ${wrong}`,
		);
	}
});

t.test(
	"subtitles are of one file, and nothing else is printed with them",
	async (t) => {
		const wrong: [args: string[], err: RegExp][] = [
			[["--format", "ass", "a.wav"], /'ass' is invalid.*srt, vtt/],
			[
				["--format", "srt", "a.wav", "b.wav"],
				/^earshot: --format srt takes one file at a time/,
			],
			[["--format", "vtt", "--json", "a.wav"], /'--format.*' .* '--json'/],
			[["--format", "vtt", "--explain", "a.wav"], /'--format.*' .*explain'/],
		];
		for (const [args, err] of wrong)
			t.match(await transcribe(...args), { code: 2, out: "", err });
	},
);

t.test("a missing model is a sentence, not a stack", async (t) => {
	const audio = join(t.testdir({ "a.wav": "RIFF" }), "a.wav");
	const { code, err } = await transcribeWith("/nowhere", audio);
	t.equal(code, 1);
	t.match(err, /^earshot: \/nowhere\/whisper-base: [^\n]+\n$/);
});

t.test("with the real models", { skip: skipped }, async (t) => {
	const { bytes, words } = probeClip();
	const folder = t.testdir({ "empty.wav": "", "broken.mp3": "no mp3 at all" });
	const clip = join(folder, "clip.wav");
	writeFileSync(clip, bytes);

	t.test("text is one line", async (t) => {
		const { code, out, err } = await transcribe("--lang", "en", clip);
		t.equal(code, 0);
		t.equal(err, "", "no bar where no terminal is");
		t.same(missing(out, words), []);
		t.match(out, /^[^\n]+\n$/);
	});

	t.test("several files, some with errors", async (t) => {
		const { code, out, err } = await transcribe(
			...["--lang", "en", "--json", "--words"],
			...["/nowhere.wav", clip],
			...[join(folder, "empty.wav"), join(folder, "broken.mp3"), clip],
		);
		t.equal(code, 1);
		t.match(err, /nowhere\.wav: no such file/);
		t.match(err, /empty\.wav: audio is empty/);
		t.match(err, /broken\.mp3: /);
		const lines = out
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line));
		t.equal(lines.length, 2);
		const [first] = lines;
		t.same(lines[1], first);
		t.match(first, { file: clip, language: "en-US", confidence: Number });
		t.same(missing(first.text, words), []);
		const [segment] = first.segments;
		t.match(segment, { index: 1, begin_ms: Number, end_ms: Number });
		t.match(segment.words[0], { word: String, type: "normal" });
	});

	t.test("speakers are shown", async (t) => {
		const talkOf = (...clips: string[]) => {
			const talk = join(folder, `${clips.length}.wav`);
			execFileSync("ffmpeg", [
				...["-v", "error"],
				...clips.flatMap((it) => ["-i", `test/clips/${it}.wav`]),
				...["-filter_complex", `concat=n=${clips.length}:v=0:a=1`, talk],
			]);
			return talk;
		};
		const [first, second] = ["ja-kokoro-meeting", "en-librivox-0930"] as const;
		const args = ["--lang", "en", "--speakers"];
		const { out, err } = await transcribe(
			...args,
			"auto",
			talkOf("en-librivox-0880", first, second),
		);
		t.equal(err, "");
		t.match(out, /^1: [^\n]+\n2: [^\n]+\n1: [^\n]+\n$/);
		const json = await transcribe(
			...args,
			"2",
			"--json",
			talkOf(first, second),
		);
		const { segments } = JSON.parse(json.out);
		t.match(segments[0], { index: 1, speaker: 1, begin_ms: Number });
		t.match(segments.at(-1), { speaker: 2, text: /amiable/ });
	});

	t.test("subtitles have the lines that the API gives", async (t) => {
		const long = join(folder, "long.wav");
		execFileSync("ffmpeg", [
			...["-v", "error", "-i", "test/clips/en-librivox-0870.wav"],
			...["-i", "test/clips/en-librivox-0880.wav"],
			...["-filter_complex", "concat=n=2:v=0:a=1", long],
		]);
		const subtitles = (...args: string[]) =>
			transcribe("--lang", "en", ...args, long);
		const srt = await subtitles("--format", "srt");
		t.match(srt, { code: 0, err: "" });
		const cues = srt.out.split("\r\n\r\n").slice(0, -1);
		const lines = cues.map((cue, i) => {
			const [number, when, line = "", ...more] = cue.split("\r\n");
			t.match(when, /^00:00:\d\d,\d{3} --> 00:00:\d\d,\d{3}$/);
			t.match([number, more], [`${i + 1}`, []]);
			t.ok(line.length <= 42, line);
			return line;
		});
		t.ok(lines.length > 2);
		const { out } = await subtitles();
		t.equal(lines.join(" "), out.trim(), "of the same text");
		const vtt = await subtitles("--format", "vtt", "--speakers", "2");
		t.match(vtt, { code: 0, err: "", out: /^WEBVTT\n\n1\n00:00:0/ });
		t.match(vtt.out, /^<v 1>.{1,42}$/m);
	});

	t.test("punctuation can be left out", async (t) => {
		const { out } = await transcribe("--lang", "en", "--no-punctuation", clip);
		t.notMatch(out, /[.,?!]/);
	});
});

t.test(
	"hotwords are recognized, and invalid ones are reported",
	{ skip: skipped || !existsSync("../shared/audio") },
	async (t) => {
		const clip = "../shared/audio/zh-firered-1.wav";
		const words = join(
			t.testdir({ words: "writing\n停滞\n豹猫\n🙂\n" }),
			"words",
		);
		const { out, err } = await transcribe(
			"--lang",
			"zh",
			"--hotwords",
			words,
			clip,
		);
		t.match(out, /停滞/);
		t.match(err, /1 of 3 entries dropped: 1 with emoji/);
	},
);
