/**
 * Two hundred sounds in which nobody says anything, asked about as a user would: whole short requests to the live engine, with the real models. Voice activity
 * does not depend on the language: what it takes for speech is asked for in three.
 */

import t from "tap";
import type { Language } from "../../runtime/text/languages.js";
import { realLane, skipped, transcribe } from "../engine/real-lane.js";
import { keptNonSpeech, type Piece } from "./pieces.js";

const languages: readonly Language[] = ["zh-cmn-Hans-CN", "ja-JP", "en-US"];

function pcm(samples: Float32Array): Uint8Array {
	const bytes = Int16Array.from(samples, (it) => Math.round(it * 32767));
	return new Uint8Array(bytes.buffer);
}

t.test("what nobody said", { skip: skipped }, async (t) => {
	const { lane } = realLane(t);
	const pieces = await keptNonSpeech();
	const answersTo = async (piece: Piece) => {
		const texts: string[] = [];
		for (const language of languages) {
			const events = await transcribe(lane, pcm(piece.samples), {
				language,
				format: "pcm",
				sampleRateHz: 16000,
				oneText: true,
			});
			const last = events.at(-1);
			if (last?.is !== "completed") throw new Error("no end");
			texts.push(last.text);
			if (!events.some((it) => it.is === "speech-begin")) break;
		}
		return texts;
	};

	t.test("there are enough, of many kinds, and all are audible", async (t) => {
		t.ok(pieces.length >= 150, `${pieces.length} pieces`);
		for (const { name, samples } of pieces) {
			const seconds = samples.length / 16_000;
			if (seconds < 1 || seconds > 4) t.fail(`${name}: ${seconds} s`);
			if (!samples.some((it) => Math.abs(it) > 0.03)) t.fail(`${name}: silent`);
			if (!samples.every((it) => Math.abs(it) <= 1))
				t.fail(`${name}: too loud`);
		}
	});

	t.test("they say nothing", async (t) => {
		let requests = 0;
		for (const piece of pieces) {
			const texts = await answersTo(piece);
			requests += texts.length;
			for (const text of texts)
				if (text !== "") t.fail(`${piece.name} says "${text}"`);
		}
		t.ok(
			requests > pieces.length,
			"some of it is speech to voice activity, and goes to the recognizer",
		);
	});
});
