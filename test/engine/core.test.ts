/** What an engine makes of speech, on scripted models: texts, languages, words and failures. */
import t from "tap";
import type { SegmentRequest } from "../../runtime/models/recognizer.js";
import { madeHypothesis } from "../session/made-utterances.js";
import { coreOf, pcm, play } from "./scripted-core.js";

t.test("raw audio becomes text, and every byte is accounted for", async (t) => {
	const requests: SegmentRequest[] = [];
	const core = coreOf((request) => {
		requests.push(request);
		return madeHypothesis(`segment ${requests.length}`);
	});
	const audio = pcm(-500, 1000, -1500, 1000, -500);
	const played = play(core, audio, { words: true, punctuation: false });
	t.same(await played.ended, {});
	t.match(played.events.at(-1), {
		is: "completed",
		text: "segment 1 segment 2",
		audioMs: 4500,
	});
	t.equal(played.usedBytes, audio.length);
	t.match(requests[0], {
		language: "en-US",
		beam: 5,
		words: true,
		punctuation: false,
	});
	t.ok(core.audioSeconds > 2 && core.audioSeconds < 4, `${core.audioSeconds}`);
});

t.test(
	"a sentence that the recognizer leaves out is recognized separately",
	async (t) => {
		const requests: SegmentRequest[] = [];
		/** Writes only the first second of its input, as Whisper does when it ends after a full stop. */
		const core = coreOf((request) => {
			requests.push(request);
			const text = `sentence of part ${requests.length}`;
			const word = {
				text,
				startSeconds: 0.3,
				endSeconds: 0.9,
				kind: "normal",
				confidence: 1,
			} as const;
			return madeHypothesis(text, { words: [word] });
		});
		const two = pcm(-500, 1000, -600, 1200, -500);
		const asOneText = play(core, two, { oneText: true, words: false });
		t.same(await asOneText.ended, {});
		t.match(asOneText.events.at(-1), {
			is: "completed",
			text: "sentence of part 2 sentence of part 3",
		});
		t.same(
			asOneText.events.flatMap((it) =>
				it.is === "final" ? it.utterance.words : [],
			),
			[],
			"words were not requested",
		);
		const seconds = requests.map((it) => it.samples.length / 16000);
		t.equal(requests.length, 3);
		t.ok(Math.max(...seconds.slice(1)) < 2.6, `pieces: ${seconds}`);
		requests.length = 0;
		const sentences = play(core, two, {
			maxSentenceSilenceMs: 1200,
			words: true,
		});
		t.same(await sentences.ended, {});
		const [final] = sentences.events.flatMap((it) =>
			it.is === "final" ? [it.utterance] : [],
		);
		t.equal(
			final?.text,
			"sentence of part 2 sentence of part 3",
			"in order of time",
		);
		t.ok(
			(final?.words[1]?.startMs ?? 0) > 2000,
			"the second one's words have the second one's times",
		);
	},
);

t.test("Japanese readings are returned where requested", async (t) => {
	const texts = ["三月五日に東京へ行った。", "雨でした。"];
	const core = coreOf(() => madeHypothesis(texts.shift() ?? ""));
	const audio = pcm(-500, 1000, -1500, 1000, -500);
	const changes = {
		language: "ja-JP",
		inverseTextNormalization: true,
		punctuation: true,
		spoken: true,
	} as const;
	const played = play(core, audio, changes);
	t.same(await played.ended, {});
	const finals = played.events.flatMap((it) =>
		it.is === "final" ? [it.utterance] : [],
	);
	t.match(finals[0], {
		text: "3月5日に東京へ行った。",
		spoken: "サンガツイツカニトウキョウヘイッタ。",
	});
	t.match(played.events.at(-1), {
		is: "completed",
		text: "3月5日に東京へ行った。雨でした。",
		spoken: "サンガツイツカニトウキョウヘイッタ。アメデシタ。",
	});
	texts.push("雨", "雨");
	const unasked = play(core, audio, { ...changes, spoken: false });
	await unasked.ended;
	t.notOk("spoken" in (unasked.events.at(-1) as object));
});

t.test("the recognizer receives the share of sure speech", async (t) => {
	const seconds: (number | undefined)[] = [];
	const core = coreOf(({ voiceActivity: voice }) => {
		seconds.push(voice?.voicedSeconds);
		return madeHypothesis("yes");
	});
	const audio = pcm(-512, 1024, -512, 640, -2048, 960, -512);
	await play(core, audio).ended;
	t.same(seconds, [1.664, 0.96]);
});

t.test("speech without a text is reported with its reason", async (t) => {
	const nothing = madeHypothesis("", { guards: ["doubt"] });
	const core = coreOf(({ voiceActivity: voice }) =>
		voice?.voicedSeconds === 0.96 ? madeHypothesis("yes") : nothing,
	);
	const both = play(core, pcm(-512, 1024, -2560, 960, -512));
	await both.ended;
	const finals = both.events.filter((it) => it.is === "final");
	t.same(
		finals.map((it) => it.is === "final" && it.unrecognized),
		[[{ why: "doubt", seconds: 1.024 }], undefined],
	);
	t.notOk("notUnderstood" in (both.events.at(-1) as object), "there is a text");
	const one = play(core, pcm(-512, 1024, -512));
	await one.ended;
	t.match(one.events.at(-1), { text: "", notUnderstood: true });
	const none = play(core, pcm(-2000));
	await none.ended;
	t.notOk(
		"notUnderstood" in (none.events.at(-1) as object),
		"silence is silence",
	);
});

t.test("a request's beam is used for that request only", async (t) => {
	const beams: number[] = [];
	const core = coreOf(({ beam }) => {
		beams.push(beam);
		return madeHypothesis("yes");
	});
	await play(core, pcm(1000), { beam: 2 }).ended;
	t.same(beams, [2]);
});

t.test("a language that the model does not support is refused", async (t) => {
	const core = coreOf(() => madeHypothesis(""));
	t.throws(() => play(core, undefined, { language: "zh-cmn-Hans-CN" }), {
		message: /zh-cmn-Hans-CN is not supported by the installed model planned/,
	});
});

t.test("a recognition that is refused holds no model", async (t) => {
	let held = 0;
	const core = coreOf(() => madeHypothesis("yes"), [], {
		hold: () => {
			held++;
			return () => held--;
		},
	});
	const words = [{ phrase: "小智小智", threshold: 0.3 }];
	t.throws(() => play(core, undefined, { wake: { words, seconds: 6 } }), {
		message: /^wake words need a second ear/,
	});
	t.equal(held, 0);
	const played = play(core, pcm(-500, 1000, -500));
	t.equal(held, 1);
	await played.ended;
	t.equal(held, 0);
});

t.test("a recognizer error fails only the recognition concerned", async (t) => {
	let calls = 0;
	const core = coreOf(() => {
		if (++calls === 1) throw new Error("out of luck");
		return madeHypothesis("fine");
	});
	const first = play(core, pcm(1000));
	const { error } = await first.ended;
	t.match(error, { message: "out of luck" });
	const second = play(core, pcm(1000));
	t.same(await second.ended, {});
	t.match(second.events.at(-1), { is: "completed", text: "fine" });
});
