/**
 * The inside of an engine with scripted models (see session/rehearsal): audio decoding, the segmenter and the scheduling are real.
 */
import t from "tap";
import { EngineCore } from "../../runtime/engine/child/engine-core.js";
import { type Models, rulesFor } from "../../runtime/engine/child/models.js";
import { PendingSends } from "../../runtime/engine/child/pending-sends.js";
import { CodedError } from "../../runtime/errors.js";
import type {
	Hypothesis,
	SegmentRequest,
	SpeechRecognizer,
} from "../../runtime/models/recognizer.js";
import { whisperCapabilities } from "../../runtime/models/whisper/recognizer.js";
import { SpeechSegmenter } from "../../runtime/segmentation/speech-segmenter.js";
import type { SessionEvent } from "../../runtime/session/events.js";
import type { RecognitionOptions } from "../../runtime/session/options.js";
import { eventually } from "../fixtures/eventually.js";
import { speech } from "../session/rehearsal.js";
import { options } from "./fake-lane.js";

type Recognize = (
	request: SegmentRequest,
) => Promise<Hypothesis | "cancelled"> | Hypothesis | "cancelled";

function said(text: string): Hypothesis {
	return { text, tokens: [], confidence: 1, words: [], guards: [] };
}

function coreOf(
	recognize: Recognize,
	probeWords: readonly string[] = [],
	more: Partial<SpeechRecognizer> = {},
) {
	const models: Models = {
		recognizer: {
			...more,
			name: "planned",
			languages: ["en-US", "ja-JP"],
			capabilities: whisperCapabilities,
			recognize: async (request) => recognize(request),
			close: async () => {},
		},
		secondEar: undefined,
		probe: { path: "", language: "en", words: probeWords },
		createFileSegmenter: () => {
			throw new Error("not asked for");
		},
		createSegmenter: (options) =>
			new SpeechSegmenter(
				{
					windowSamples: 512,
					accept: async (windows) =>
						windows
							.filter((_, i) => i % 512 === 0)
							.map((it) => Math.max(0, it)),
					strideWindows: 1,
					finish: async () => new Float32Array(0),
					reset() {},
				},
				rulesFor(options),
			),
		pendingSends: new PendingSends(),
		close: async () => {},
	};
	const decoder = {
		decodeFile: () => {
			throw new Error("not asked for");
		},
		async *decodeBytes(bytes: AsyncIterable<Uint8Array>) {
			let total = 0;
			for await (const chunk of bytes) total += chunk.length;
			if (total > 0) throw new CodedError("200006", "nothing decodes this");
			yield new Float32Array(0);
		},
	};
	return new EngineCore(models, decoder, 5);
}

/** Speech and silence as 16-bit samples. */
function pcm(...partsMs: number[]): Uint8Array {
	const samples = Int16Array.from(speech(...partsMs), (it) => it * 32767);
	return new Uint8Array(samples.buffer);
}

interface Played {
	readonly events: SessionEvent[];
	readonly ended: Promise<{ error?: unknown }>;
	readonly recognition: ReturnType<EngineCore["open"]>;
	usedBytes: number;
}

function play(
	core: EngineCore,
	audio: Uint8Array | undefined,
	changes: Partial<RecognitionOptions> = {},
): Played {
	const events: SessionEvent[] = [];
	let error: { error?: unknown } = {};
	let gone: (how: { error?: unknown }) => void;
	const ended = new Promise<{ error?: unknown }>((resolve) => {
		gone = resolve;
	});
	const recognition = core.open(
		{ ...options, ...changes },
		{
			onEvent: (event) => events.push(event),
			onFailed: (failure) => {
				error = { error: failure };
			},
			onUsed: (bytes) => {
				played.usedBytes += bytes;
			},
			onEnded: () => gone(error),
		},
	);
	const played: Played = { events, ended, recognition, usedBytes: 0 };
	if (audio) {
		for (let at = 0; at < audio.length; at += 10_001)
			recognition.push(audio.subarray(at, at + 10_001));
		recognition.finish();
	}
	return played;
}

t.test("raw audio becomes text, and every byte is accounted for", async (t) => {
	const requests: SegmentRequest[] = [];
	const core = coreOf((request) => {
		requests.push(request);
		return said(`segment ${requests.length}`);
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

t.test("the first speech decides the language of all", async (t) => {
	const asked: string[] = [];
	const requests: SegmentRequest[] = [];
	const identified = ["nothing", "ja-JP"];
	const core = coreOf(
		(request) => {
			requests.push(request);
			return said(request.language === "ja-JP" ? "はい" : "first");
		},
		[],
		{
			identifyLanguage: async (samples, choices) => {
				asked.push(`${choices} in ${samples.length > 16_000}`);
				return choices.find((it) => it === identified[asked.length - 1]);
			},
		},
	);
	const audio = pcm(-500, 1000, -1500, 1000, -1500, 1000, -500);
	const languageChoices = ["en-US", "ja-JP"] as const;
	const played = play(core, audio, { languageChoices, partials: true });
	t.same(await played.ended, {});
	const completed = played.events.at(-1);
	t.match(completed, {
		is: "completed",
		text: "firstはいはい",
		language: "ja-JP",
	});
	t.same(
		asked,
		Array(2).fill("en-US,ja-JP in true"),
		"not speech, then speech",
	);
	t.same(
		requests.map((it) => it.language),
		["en-US", "ja-JP", "ja-JP"],
	);
	const unable = play(
		coreOf(() => said("yes")),
		audio,
		{ languageChoices },
	);
	await unable.ended;
	t.match(unable.events.at(-1), { is: "completed", text: "yes yes yes" });
	t.notOk("language" in (unable.events.at(-1) ?? {}));
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
			return { ...said(text), words: [word] };
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
	const core = coreOf(() => said(texts.shift() ?? ""));
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
		return said("yes");
	});
	const audio = pcm(-512, 1024, -512, 640, -2048, 960, -512);
	await play(core, audio).ended;
	t.same(seconds, [1.664, 0.96]);
});

t.test("speech without a text is reported with its reason", async (t) => {
	const nothing = { ...said(""), guards: ["doubt"] };
	const core = coreOf(({ voiceActivity: voice }) =>
		voice?.voicedSeconds === 0.96 ? said("yes") : nothing,
	);
	const both = play(core, pcm(-512, 1024, -2560, 960, -512));
	await both.ended;
	const finals = both.events.filter((it) => it.is === "final");
	t.same(
		finals.map((it) => it.is === "final" && it.unheard),
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
		return said("yes");
	});
	await play(core, pcm(1000), { beam: 2 }).ended;
	t.same(beams, [2]);
});

t.test("a language that the model does not support is refused", async (t) => {
	const core = coreOf(() => said(""));
	t.throws(() => play(core, undefined, { language: "zh-cmn-Hans-CN" }), {
		message: /zh-cmn-Hans-CN is not supported by the installed model planned/,
	});
});

t.test("a recognition that is refused holds no model", async (t) => {
	let held = 0;
	const core = coreOf(() => said("yes"), [], {
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

t.test("no audio is an error, not an empty text", async (t) => {
	const { error } = await play(
		coreOf(() => said("")),
		new Uint8Array(0),
	).ended;
	t.match(error, { status: "200007" });
});

t.test("an error of the decoder is passed on unchanged", async (t) => {
	const ogg = Buffer.concat([Buffer.from("OggS"), Buffer.alloc(2000)]);
	const { error } = await play(
		coreOf(() => said("")),
		ogg,
		{ format: "opus" },
	).ended;
	t.match(error, { status: "200006" });
});

t.test("a recognizer error fails only the recognition concerned", async (t) => {
	let calls = 0;
	const core = coreOf(() => {
		if (++calls === 1) throw new Error("out of luck");
		return said("fine");
	});
	const first = play(core, pcm(1000));
	const { error } = await first.ended;
	t.match(error, { message: "out of luck" });
	const second = play(core, pcm(1000));
	t.same(await second.ended, {});
	t.match(second.events.at(-1), { is: "completed", text: "fine" });
});

t.test("every recognition gets its turn", async (t) => {
	const order: string[] = [];
	const core = coreOf(({ language }) => {
		order.push(language);
		return said("x");
	});
	// three segments each
	const audio = pcm(500, -1000, 500, -1000, 500, -1000);
	const both = [
		play(core, audio, { language: "en-US" }),
		play(core, audio, { language: "ja-JP" }),
	];
	await Promise.all(both.map((it) => it.ended));
	t.same(order.toSorted(), [
		...Array(3).fill("en-US"),
		...Array(3).fill("ja-JP"),
	]);
	t.notSame(order, order.toSorted(), "not one after the other");
});

t.test("a final that is owed interrupts a speculative decode", async (t) => {
	const order: string[] = [];
	const core = coreOf(async ({ language, cancelled }) => {
		order.push(`${language} begins`);
		if (language === "ja-JP" && order.length === 1)
			while (!cancelled?.()) await new Promise(setImmediate);
		const result = cancelled?.() ? "cancelled" : said("x");
		order.push(`${language} ${result === "cancelled" ? "yields" : "ends"}`);
		return result;
	});
	const guess = play(core, undefined, { language: "ja-JP" });
	guess.recognition.push(pcm(-300, 1000, -300)); // a pause, and nothing more comes
	await eventually("somebody to be heard", () => order.length);
	const owed = play(core, pcm(1000));
	await owed.ended;
	guess.recognition.finish();
	await guess.ended;
	t.same(order.slice(0, 4), [
		"ja-JP begins",
		"ja-JP yields",
		"en-US begins",
		"en-US ends",
	]);
	t.match(guess.events.at(-1), { is: "completed", text: "x" });
});

t.test(
	"a cancelled recognition stops decoding and emits nothing",
	async (t) => {
		let polls = 0;
		const core = coreOf(async ({ cancelled }): Promise<"cancelled"> => {
			for (; !cancelled?.(); polls++) await new Promise(setImmediate);
			return "cancelled";
		});
		const played = play(core, pcm(1000, -1000, 1000));
		await eventually("it to be decoded", () => polls);
		const told = played.events.length;
		played.recognition.cancel();
		t.same(await played.ended, {});
		t.equal(played.events.length, told);
	},
);

t.test(
	"audio past the duration is refused, whatever was recognized",
	async (t) => {
		const core = coreOf(() => said("long"));
		const played = play(core, pcm(5000), { durationSecondsMax: 2 });
		const { error } = await played.ended;
		t.match(error, { status: "200005", message: /at most 2 seconds/ });
		const fits = play(core, pcm(2000), { durationSecondsMax: 2 });
		t.same(await fits.ended, {});
	},
);

t.test(
	"audio past the duration completes the recognition where requested",
	async (t) => {
		const core = coreOf(() => said("long"));
		const audio = pcm(5000);
		const played = play(core, audio, {
			durationSecondsMax: 2,
			completeAtDuration: true,
		});
		await played.ended;
		t.match(played.events.at(-1), { is: "completed", why: "duration" });
		t.equal(played.usedBytes, audio.length, "the sender does not wait");
	},
);

t.test("finals that are due together share a run", async (t) => {
	const runs: string[][] = [];
	let release = () => {};
	const first = new Promise<void>((resolve) => {
		release = resolve;
	});
	let broken = -1;
	const lengthOf = ({ samples }: SegmentRequest) => `${samples.length}`;
	const core = coreOf(
		async (request) => {
			runs.push([lengthOf(request)]);
			if (runs.length === 1) await first; // the others become due meanwhile
			if (request.samples.length === broken) throw new Error("bad segment");
			return said(lengthOf(request));
		},
		[],
		{
			nextBatch: (waiting) => waiting,
			recognizeAll: async (requests) => {
				runs.push(requests.map(lengthOf));
				if (requests.some((it) => it.samples.length === broken))
					throw new Error("bad segment");
				return requests.map((it) => said(lengthOf(it)));
			},
		},
	);
	const play3 = async () => {
		runs.length = 0;
		const played = [500, 700, 900, 1100].map((ms) => play(core, pcm(ms, 900)));
		await eventually("the first run", () => runs.length > 0);
		for (let i = 0; i < 100; i++) await new Promise(setImmediate);
		release();
		return Promise.all(played.map(async (it) => (await it.ended).error));
	};
	t.same(await play3(), [undefined, undefined, undefined, undefined]);
	t.equal(runs.length, 2, "one alone, three together");
	t.equal(runs[1]?.length, 3);
	broken = Number(runs[1]?.[1]);
	const errors = await play3();
	t.equal(errors.filter((it) => it !== undefined).length, 1, "only its own");
});

t.test(
	"first words that are due together share a run, which a final ends",
	async (t) => {
		const runs: string[][] = [];
		let release = () => {};
		const first = new Promise<void>((resolve) => {
			release = resolve;
		});
		let polled = 0;
		const core = coreOf(
			async ({ open = false }) => {
				runs.push([open ? "partial" : "final"]);
				if (runs.length === 1) await first; // the others become due meanwhile
				return said("x");
			},
			[],
			{
				nextBatch: (waiting) => waiting,
				recognizeAll: async (requests) => {
					runs.push(requests.map(({ open = false }) => `${open}`));
					while (!requests.every((it) => it.cancelled?.())) {
						polled++;
						await new Promise(setImmediate);
					}
					return requests.map(() => "cancelled" as const);
				},
			},
		);
		const live = { partials: true, streamed: true };
		const speakers = Array.from({ length: 4 }, () => {
			const speaker = play(core, undefined, live);
			speaker.recognition.push(pcm(700));
			return speaker;
		});
		await eventually("the first partial", () => runs.length > 0);
		for (let i = 0; i < 100; i++) await new Promise(setImmediate);
		release();
		await eventually("the others together", () => polled > 0);
		t.same(runs[1], ["true", "true", "true"]);
		speakers[0]?.recognition.finish();
		await speakers[0]?.ended;
		t.match(speakers[0]?.events.at(-1), { is: "completed", text: "x" });
		t.same(runs[2], ["final"], "it waits for none of them");
		for (const { recognition } of speakers) recognition.cancel();
	},
);

t.test("audio waits while finals are owed", async (t) => {
	let open: () => void = () => {};
	const gate = new Promise<void>((resolve) => {
		open = resolve;
	});
	const core = coreOf(async () => {
		await gate;
		return said("x");
	});
	const parts = Array.from({ length: 20 }, () => [500, -1000]).flat();
	const audio = pcm(...parts);
	const played = play(core, audio);
	let turnsStill = 0;
	for (let used = -1; turnsStill < 1000; turnsStill++) {
		if (used !== played.usedBytes) turnsStill = 0;
		used = played.usedBytes;
		await new Promise((turn) => setImmediate(turn)); // no step inside waits for longer than that
	}
	t.ok(played.usedBytes < audio.length / 2, `${played.usedBytes} bytes used`);
	open();
	await played.ended;
	t.equal(played.usedBytes, audio.length);
	t.equal(played.events.filter((it) => it.is === "final").length, 20);
});

t.test("partials wait for finals that are owed", async (t) => {
	const order: string[] = [];
	const core = coreOf(async ({ language, beam, punctuation, cancelled }) => {
		const kind = beam === 2 ? "partial" : "final";
		if (kind === "partial") t.equal(punctuation, false);
		order.push(`${language} ${kind}`);
		if (kind === "partial")
			while (!cancelled?.()) await new Promise(setImmediate);
		return cancelled?.() ? "cancelled" : said("x");
	});
	const live = play(core, undefined, {
		language: "ja-JP",
		partials: true,
		streamed: true,
	});
	live.recognition.push(pcm(-300, 2000));
	await eventually("somebody to be heard", () => order.length);
	const owed = play(core, pcm(1000));
	await owed.ended;
	live.recognition.finish();
	await live.ended;
	t.same(order.slice(0, 2), ["ja-JP partial", "en-US final"]);
	t.equal(order.at(-1), "ja-JP final");
	t.match(live.events.at(-1), { is: "completed", text: "x" });
});

for (const [what, meanwhile] of [
	["more text of others", pcm(1000)],
	["what others may have said at a pause", pcm(-400)],
] as const)
	t.test(`the first text of a sentence goes before ${what}`, async (t) => {
		const order: string[] = [];
		let gate: Promise<void> | undefined;
		let open: () => void = () => {};
		const core = coreOf(async ({ language, beam }) => {
			order.push(`${language} ${beam === 2 ? "partial" : "final"}`);
			await gate;
			return said("the cat sat on a mat");
		});
		const live = { partials: true, streamed: true };
		const isShown = ({ events }: Played) =>
			events.some((it) => it.is === "partial");
		const talkers = [1, 2].map(() => play(core, undefined, live));
		for (const one of talkers) {
			const decodes = order.length;
			one.recognition.push(pcm(-300, 700));
			await eventually("a decode", () => order.length > decodes);
			one.recognition.push(pcm(300));
			await eventually("a partial", () => isShown(one));
		}
		const other = play(core, undefined, { ...live, language: "ja-JP" });
		other.recognition.push(pcm(-300, 1000, -1500));
		await eventually("the other's sentence", () =>
			other.events.some((it) => it.is === "final"),
		);
		gate = new Promise((resolve) => {
			open = resolve;
		});
		const before = order.length;
		talkers[0]?.recognition.push(pcm(1000));
		await eventually("a decode that is held", () => order.length > before);
		talkers[1]?.recognition.push(meanwhile);
		other.recognition.push(pcm(1000));
		for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
		open();
		await eventually("a second decode", () => order.length > before + 1);
		t.same(order.slice(before, before + 2), ["en-US partial", "ja-JP partial"]);
		for (const { recognition, ended } of [...talkers, other]) {
			recognition.finish();
			await ended;
		}
	});

t.test("live speech goes first, but not for ever", async (t) => {
	const order: string[] = [];
	let open: () => void = () => {};
	const gate = new Promise<void>((resolve) => {
		open = resolve;
	});
	const core = coreOf(async ({ language }) => {
		order.push(language);
		await gate;
		return said("x");
	});
	const audio = pcm(...Array.from({ length: 12 }, () => [500, -1000]).flat());
	const whole = play(core, audio, { language: "en-US" });
	const live = play(core, audio, { language: "ja-JP", streamed: true });
	await eventually("somebody to be heard", () => order.length);
	open();
	await Promise.all([whole.ended, live.ended]);
	const lastLive = order.lastIndexOf("ja-JP");
	const together = order.slice(1, lastLive);
	const others = together.filter((it) => it === "en-US").length;
	t.ok(others >= 2, `${others} of a whole request among the live ones`);
	t.ok(others <= together.length / 2, order.join(" "));
});

t.test(
	"a sentence ends between the bytes where this was requested",
	async (t) => {
		const core = coreOf(() => said("x"));
		for (const packet of [7, 999, 32_000, 1_000_000]) {
			const played = play(core, undefined, { streamed: true });
			const [before, after] = [pcm(-500, 2000), pcm(2000, -1500)];
			for (const audio of [before, after]) {
				for (let at = 0; at < audio.length; at += packet)
					played.recognition.push(audio.subarray(at, at + packet));
				if (audio === before) played.recognition.endSentence();
			}
			played.recognition.finish();
			await played.ended;
			const finals = played.events.filter((it) => it.is === "final");
			t.equal(finals.length, 2);
			t.equal(played.usedBytes, before.length + after.length);
			const [first] = finals;
			const endMs = first?.is === "final" ? first.utterance.endMs : 0;
			t.ok(endMs > 2500 - 33 && endMs <= 2500, `${endMs}`);
		}
	},
);

t.test("mp4 is refused for live speech", async (t) => {
	const mp4 = Buffer.concat([
		Buffer.from([0, 0, 0, 32]),
		Buffer.from("ftypisom"),
		Buffer.alloc(2000),
	]);
	const { error } = await play(
		coreOf(() => said("")),
		mp4,
		{ format: "wav", streamed: true },
	).ended;
	t.match(error, { status: "200006", message: /over HTTP/ });
});

t.test("an odd number of bytes and a header in the middle", async (t) => {
	const core = coreOf(() => said("x"));
	const header = Buffer.concat([
		Buffer.from("RIFF"),
		Buffer.from([36, 0, 0, 0]),
		Buffer.from("WAVEfmt "),
		Buffer.alloc(24),
	]);
	const audio = Buffer.concat([
		pcm(-300, 1000),
		header,
		pcm(1000, -1500),
		Buffer.from([1]),
	]);
	const played = play(core, audio, { streamed: true });
	t.same(await played.ended, {});
	t.match(played.events.at(-1), { is: "completed", text: "x" });
	t.equal(played.usedBytes, audio.length);
});

t.test("silence for the whole duration is an empty text", async (t) => {
	const core = coreOf(() => said("never"));
	const played = play(core, pcm(-5000), {
		durationSecondsMax: 3,
		completeAtDuration: true,
		streamed: true,
		suffixSilenceMs: 0,
		partials: true,
	});
	t.same(await played.ended, {});
	t.match(played.events, [{ is: "completed", text: "", why: "duration" }]);
});
