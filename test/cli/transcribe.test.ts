import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { transcribeCommand } from "../../runtime/cli/transcribe.js";
import { hotwordsOf, speakersOf } from "../../runtime/cli/transcribe-flags.js";
import { missing, modelDir, probeClip, skipped } from "../engine/real-lane.js";
import { earshot } from "./earshot.js";
import { errorsOf } from "./errors-of.js";
import { parsed } from "./parsed.js";

const transcribeWith = (models: string, ...args: string[]) =>
	earshot(["transcribe", ...args], { EARSHOT_MODEL_DIR: models });
const transcribe = (...args: string[]) => transcribeWith(modelDir, ...args);

/** As of a command line without other options. */
const flags = { rate: "16000", punctuation: true, hotwordsWeight: "0.5" };

t.test("missing files and folders are reported in one line each", async (t) => {
	const { code, out, err } = await transcribe("/nowhere/a.wav", t.testdir());
	t.same([code, out], [1, ""]);
	const [missing, folder, ...more] = err.trimEnd().split("\n");
	t.equal(missing, "earshot: /nowhere/a.wav: no such file");
	t.match(folder, /^earshot: .* is a directory/);
	t.same(more, []);
});

t.test("an unknown language is wrong usage", async (t) => {
	const { code, err } = await transcribe("--lang", "klingon", "x.wav");
	t.equal(code, 2);
	t.match(err, /--lang must be one of .*zh.*; got klingon/);
	await t.rejects(parsed(transcribeCommand()), /'file'/, "no file at all");
});

t.test(
	"hotwords must come from an existing file, with a valid weight",
	async (t) => {
		t.throws(() => hotwordsOf({ ...flags, hotwords: "/nowhere/words" }, []), {
			name: "UsageError",
			message: /\/nowhere\/words: no such file/,
		});
		t.throws(() => hotwordsOf({ ...flags, hotwordsWeight: "2" }, []), {
			name: "UsageError",
			message: /--hotwords-weight must be a number from 0.1 to 1, got 2/,
		});
	},
);

t.test(
	"weights beside hotwords, as other servers' files have them, are reported",
	async (t) => {
		const file = join(t.testdir(), "words");
		const reported =
			/words: 2 of [23] lines end in a number, .*--hotwords-weight.*\n/;
		const reportOf = (words: string) => {
			writeFileSync(file, words);
			return errorsOf(() => hotwordsOf({ ...flags, hotwords: file }, []));
		};
		for (const plain of ["iPhone 15\n停滞\n", "GPT4\n豹猫\nB2B\n", "2026\n"])
			t.equal(await reportOf(plain), "");
		t.match(await reportOf("阿里巴巴 20\n豹猫 30\n停滞\n"), reported);
		t.match(await reportOf("阿里巴巴 :2.0\nearshot:1.5\n"), reported);
		const { err } = await transcribe("--hotwords", file, "/nowhere/a.wav");
		t.match(err, reported, "by the program as well");
		t.match(err, /^earshot: \/nowhere\/a.wav[^\n]*\n$/m);
	},
);

t.test("the number of speakers must be valid", async (t) => {
	for (const wrong of ["0", "11", "two", "-1"])
		t.throws(() => speakersOf(wrong), {
			name: "UsageError",
			message: `--speakers must be auto or a number from 1 to 10, got ${wrong}`,
		});
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
		];
		for (const [args, err] of wrong)
			t.match(await transcribe(...args), { code: 2, out: "", err });
		for (const other of ["--json", "--explain"])
			await t.rejects(
				parsed(transcribeCommand(), "--format", "vtt", other, "a.wav"),
				new RegExp(`'--format.*' .* '${other}'`),
			);
	},
);

t.test("texts of speakers are not explained", async (t) => {
	await t.rejects(
		parsed(transcribeCommand(), "--explain", "--speakers", "2", "a.wav"),
		/'--explain' .* '--speakers <number>'/,
	);
});

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
	const talkOf = (...clips: string[]) => {
		const talk = join(folder, `${clips.length}.wav`);
		execFileSync("ffmpeg", [
			...["-v", "error"],
			...clips.flatMap((it) => ["-i", `test/clips/${it}.wav`]),
			...["-filter_complex", `concat=n=${clips.length}:v=0:a=1`, talk],
		]);
		return talk;
	};
	const [first, second] = ["ja-kokoro-weather", "en-librivox-0930"] as const;
	/** Of two speakers, with pauses. */
	const talk = talkOf(first, second);
	const inEnglish = (...args: string[]) => transcribe("--lang", "en", ...args);

	t.test("several files, some with errors; and subtitles", async (t) => {
		const { code, out, err } = await inEnglish(
			...["--json", "--words"],
			...["/nowhere.wav", clip, join(folder, "empty.wav")],
			...[join(folder, "broken.mp3"), talk, clip],
		);
		t.equal(code, 1);
		t.match(err, /nowhere\.wav: no such file/);
		t.match(err, /empty\.wav: audio is empty/);
		t.match(err, /broken\.mp3: /);
		const lines = out
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line));
		t.equal(lines.length, 3);
		const [alone, ofTalk, again] = lines;
		t.same(again, alone, "whatever came between");
		t.match(alone, { file: clip, language: "en-US", confidence: Number });
		t.same(missing(alone.text, words), []);
		const [segment] = alone.segments;
		t.match(segment, { index: 1, begin_ms: Number, end_ms: Number });
		t.match(segment.words[0], { word: String, type: "normal" });

		const srt = await inEnglish("--format", "srt", talk);
		t.match(srt, { code: 0, err: "" }, "no bar where no terminal is");
		const cues = srt.out.split("\r\n\r\n").slice(0, -1);
		const shown = cues.map((cue, i) => {
			const [number, when, line = "", ...more] = cue.split("\r\n");
			t.match(when, /^00:00:\d\d,\d{3} --> 00:00:\d\d,\d{3}$/);
			t.match([number, more], [`${i + 1}`, []]);
			t.ok(line.length <= 42, line);
			return line;
		});
		t.ok(shown.length > 2);
		t.equal(shown.join(" "), ofTalk.text, "of the text that the API gives");
		const vtt = await inEnglish("--format", "vtt", "--speakers", "2", clip);
		t.match(vtt, { code: 0, err: "", out: /^WEBVTT\n\n1\n00:00:0/ });
		t.match(vtt.out, /^<v 1>.{1,42}$/m);
	});

	t.test("speakers are shown, and punctuation can be left out", async (t) => {
		const { out, err } = await inEnglish(
			...["--speakers", "auto", "--no-punctuation"],
			talkOf("en-librivox-0880", first, second),
		);
		t.equal(err, "");
		t.match(out, /^1: [^\n]+\n2: [^\n]+\n1: [^\n]+\n$/);
		t.notMatch(out, /[.,?!]/);
		const json = await inEnglish("--speakers", "2", "--json", talk);
		const { segments } = JSON.parse(json.out);
		t.match(segments[0], { index: 1, speaker: 1, begin_ms: Number });
		t.match(segments.at(-1), { speaker: 2, text: /amiable\b.*[.]$/ });
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
