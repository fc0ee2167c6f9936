/** Speech that alternates between two languages, through an engine on the real models: short recognition, live sentences and a file. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t from "tap";
import {
	joinSentences,
	missingFrom,
	readSentences,
} from "../joined/sentences.js";
import { textOf } from "./fake-lane.js";
import { closeEngine, openFileEngine, transcribePath } from "./real-file.js";
import { realLane, skipped, transcribe } from "./real-lane.js";

const zhEn = { language: "zh-cmn-Hans-CN-en-US", format: "pcm" } as const;

function recordingOf(pauseSeconds: number, ...names: string[]) {
	const sentences = readSentences(...names);
	const { samples } = joinSentences(sentences, { pauseSeconds });
	const bytes = Buffer.alloc(2 * samples.length);
	samples.forEach((it, i) => {
		bytes.writeInt16LE(Math.round(it * 32767), 2 * i);
	});
	return { sentences, bytes };
}

const isEnglish = ({ text }: { readonly text: string }) => /[a-z]/i.test(text);

t.test("the live engine", { skip: skipped }, async (t) => {
	const { lane, supervisor } = realLane(t);
	await supervisor.engine();

	// of Japanese and English: mixed-language-recognition
	t.test("one text of both languages, nothing lost", async (t) => {
		const chinese = recordingOf(0.6, "zh-market", "en-doctor", "zh-train");
		const events = await transcribe(lane, chinese.bytes, {
			...zhEn,
			oneText: true,
		});
		const text = textOf(events) ?? "";
		t.same(missingFrom(text, chinese.sentences), [], text);
		t.match(text, /rest\.我们/, "English marks behind English");
	});

	t.test("live sentences report their language", async (t) => {
		const { sentences, bytes } = recordingOf(1.5, "zh-doctor", "en-train");
		const events = await transcribe(lane, bytes, zhEn);
		const finals = events.flatMap((it) =>
			it.is === "final" ? [it.utterance] : [],
		);
		t.same(
			finals.map((it) => it.spokenIn),
			["zh-cmn-Hans-CN", "en-US"],
		);
		t.same(missingFrom(textOf(events) ?? "", sentences), []);
	});

	t.test(
		"one language gives the same text when requested as mixed",
		async (t) => {
			for (const [name, language] of [
				["en-garden", "en-US"],
				["zh-weather", "zh-cmn-Hans-CN"],
			] as const) {
				const { bytes } = recordingOf(0, name);
				const alone = { language, format: "pcm", oneText: true } as const;
				const wanted = textOf(await transcribe(lane, bytes, alone));
				const asMixed = { ...zhEn, oneText: true };
				t.equal(textOf(await transcribe(lane, bytes, asMixed)), wanted);
			}
		},
	);
});

t.test("a file of both languages", { skip: skipped }, async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "earshot-mixed-"));
	t.teardown(() => rmSync(folder, { recursive: true, force: true }));
	const path = join(folder, "recording.pcm");
	const { sentences, bytes } = recordingOf(
		0.4,
		...["zh-train", "en-garden", "zh-doctor", "en-train"],
	);
	writeFileSync(path, bytes);
	const engine = await openFileEngine(join(folder, "spool"), 1);
	t.teardown(() => closeEngine(engine));
	const { events } = await transcribePath(engine, path, {
		...zhEn,
		words: true,
	});
	const utterances = events.flatMap((it) => it.utterances);
	const text = utterances.map((it) => it.text).join("\n");
	t.same(missingFrom(text, sentences), [], text);
	t.ok(utterances.length >= 4, text);
	for (const one of utterances) {
		t.equal(one.spokenIn === "en-US", isEnglish(one), one.text);
		t.notMatch(one.text, /[a-z]。/, "each with its language's marks");
		t.ok(one.words.length > 1);
	}
});
