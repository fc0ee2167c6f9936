/** The language of a recognition that names several: by its first speech, and where that is too little to be sure, by what follows. */
import t from "tap";
import { Deferred } from "../../runtime/event-loop/deferred.js";
import type { SegmentRequest } from "../../runtime/models/recognizer.js";
import type { Language } from "../../runtime/text/languages.js";
import { eventually, untilStill } from "../fixtures/eventually.js";
import { madeHypothesis } from "../session/made-utterances.js";
import { coreOf, pcm, play } from "./scripted-core.js";

const languageChoices = ["en-US", "ja-JP"] as const;

t.test("the first speech decides the language of all", async (t) => {
	const queries: string[] = [];
	const requests: SegmentRequest[] = [];
	const identified = ["nothing", "ja-JP"];
	const core = coreOf(
		(request) => {
			requests.push(request);
			return madeHypothesis(request.language === "ja-JP" ? "はい" : "first");
		},
		[],
		{
			identifyLanguage: async (samples, choices) => {
				queries.push(`${choices} in ${samples.length > 16_000}`);
				const language = choices.find(
					(it) => it === identified[queries.length - 1],
				);
				return language && { language, isSure: true };
			},
		},
	);
	const audio = pcm(-500, 1000, -1500, 1000, -1500, 1000, -500);
	const played = play(core, audio, { languageChoices, partials: true });
	t.same(await played.ended, {});
	const completed = played.events.at(-1);
	t.match(completed, {
		is: "completed",
		text: "firstはいはい",
		language: "ja-JP",
	});
	t.same(
		queries,
		Array(2).fill("en-US,ja-JP in true"),
		"not speech, then speech",
	);
	t.same(
		requests.map((it) => it.language),
		["en-US", "ja-JP", "ja-JP"],
	);
	const unable = play(
		coreOf(() => madeHypothesis("yes")),
		audio,
		{ languageChoices },
	);
	await unable.ended;
	t.match(unable.events.at(-1), { is: "completed", text: "yes yes yes" });
	t.notOk("language" in (unable.events.at(-1) ?? {}));
});

t.test("the model of the identified language is held", async (t) => {
	const held: Language[] = [];
	let released = 0;
	const hold = (language: Language) => {
		held.push(language);
		return () => released++;
	};
	const answers: { language: Language; isSure: boolean }[] = [
		{ language: "en-US", isSure: false },
		{ language: "ja-JP", isSure: true },
	];
	const core = coreOf(() => madeHypothesis("はい"), [], {
		hold,
		identifyLanguage: async () => answers.shift(),
	});
	const audio = pcm(-500, 1000, -1500, 1000, -1500, 1000, -500);
	const played = play(core, audio, { languageChoices });
	t.same(held, [], "none before it is known");
	await played.ended;
	t.same(held, ["ja-JP"], "once, and none for what is not sure");
	t.equal(released, 1);
	const unable = play(
		coreOf(() => madeHypothesis("yes"), [], { hold }),
		audio,
		{ languageChoices },
	);
	t.same(held, ["ja-JP", "en-US"], "nothing will be identified");
	await unable.ended;
});

t.test("a recognition that ended meanwhile holds none", async (t) => {
	const gate = new Deferred<void>();
	const asked = new Deferred<void>();
	let held = 0;
	const core = coreOf(() => madeHypothesis("はい"), [], {
		hold: () => {
			held++;
			return () => held--;
		},
		identifyLanguage: async () => {
			asked.resolve();
			await gate.promise;
			return { language: "ja-JP", isSure: true };
		},
	});
	const played = play(core, pcm(-500, 2000, -1500), { languageChoices });
	await asked.promise;
	played.recognition.cancel();
	await played.ended;
	gate.resolve();
	await untilStill(() => held);
	t.equal(held, 0);
});

t.test("speech too short to be sure of counts for itself", async (t) => {
	const answers: { language: Language; isSure: boolean }[] = [
		{ language: "ja-JP", isSure: false },
		{ language: "en-US", isSure: true },
	];
	const languages: Language[] = [];
	const core = coreOf(
		({ language }) => {
			languages.push(language);
			return madeHypothesis(language.slice(0, 2));
		},
		[],
		{ identifyLanguage: async () => answers.shift() },
	);
	const audio = pcm(-500, 1000, -1500, 1000, -1500, 1000, -500);
	const played = play(core, audio, { languageChoices, keepsWhole: true });
	t.same(await played.ended, {});
	t.same(languages, ["ja-JP", "en-US", "en-US"]);
	t.same(
		played.events.flatMap((it) => (it.is === "final" ? [it.language] : [])),
		["ja-JP", "en-US", "en-US"],
	);
	t.match(played.events.at(-1), { language: "en-US", text: "ja en en" });
});

t.test("what turns out to be Japanese has readings", async (t) => {
	const answers: { language: Language; isSure: boolean }[] = [
		{ language: "en-US", isSure: false },
		{ language: "ja-JP", isSure: true },
	];
	const core = coreOf(
		({ language }) => madeHypothesis(language === "ja-JP" ? "雨です" : "rain"),
		[],
		{ identifyLanguage: async () => answers.shift() },
	);
	const audio = pcm(-500, 1000, -1500, 1000, -500);
	const played = play(core, audio, { languageChoices, spoken: true });
	t.same(await played.ended, {});
	t.same(
		played.events.flatMap((it) =>
			it.is === "final" ? [it.utterance.spoken] : [],
		),
		[undefined, "アメデス"],
	);
	t.match(played.events.at(-1), { text: "rain雨です", spoken: "rainアメデス" });
});

for (const isSure of [true, false])
	t.test(
		`what is being said is shown ${isSure ? "once it is sure" : "after 2.5 s at the latest"}`,
		async (t) => {
			const identified: number[] = [];
			const recognized: SegmentRequest[] = [];
			const core = coreOf(
				(request) => {
					recognized.push(request);
					return madeHypothesis("text");
				},
				[],
				{
					identifyLanguage: async (samples, _, { open } = {}) => {
						identified.push(samples.length / 16_000);
						t.ok(open, "as its text");
						return { language: "ja-JP", isSure };
					},
				},
			);
			const played = play(core, undefined, { languageChoices, partials: true });
			const audio = pcm(-500, 4000);
			const piece = 16_000 * 2 * 0.1;
			for (let at = 0; at < audio.length; at += piece) {
				played.recognition.push(audio.subarray(at, at + piece));
				const used = Math.min(at + piece, audio.length);
				await eventually("used", () => played.usedBytes >= used - 1024);
			}
			played.recognition.finish();
			t.same(await played.ended, {});
			t.ok(recognized[0]?.open);
			const firstSeconds = (recognized[0]?.samples.length ?? 0) / 16_000;
			t.ok((identified[0] ?? 0) >= 1.2, `${identified}`);
			t.equal(
				firstSeconds,
				identified.at(-1),
				"judged no more once it is known",
			);
			t.equal(firstSeconds >= 2.5, !isSure, `${firstSeconds}`);
			t.ok(firstSeconds < 4, "and not only when it has ended");
		},
	);
