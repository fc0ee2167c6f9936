/**
 * Two hundred sounds in which nobody says anything, asked about as a user would: whole short requests to the inside of an engine, with the real models. Voice
 * activity does not depend on the language: what it takes for speech is asked for in three.
 */
import { join } from "node:path";
import t from "tap";
import { EngineCore } from "../../runtime/engine/child/engine-core.js";
import { loadModels } from "../../runtime/engine/child/models.js";
import type { SessionEvent } from "../../runtime/session/events.js";
import type { Language } from "../../runtime/text/languages.js";
import { options } from "../engine/fake-lane.js";
import { modelDir, skipped } from "../engine/real-lane.js";
import { keptGraphs } from "../whisper/kept-graphs.js";
import { keptNonSpeech, type Piece } from "./pieces.js";

const languages: readonly Language[] = ["zh-cmn-Hans-CN", "ja-JP", "en-US"];

function pcm(samples: Float32Array): Uint8Array {
	const bytes = Int16Array.from(samples, (it) => Math.round(it * 32767));
	return new Uint8Array(bytes.buffer);
}

const decodesNothing = () => {
	throw new Error("PCM is not decoded");
};

/** Its encoder computes what a sound's three languages have in common once. */
async function openCore(): Promise<EngineCore> {
	const models = await loadModels(keptGraphs, {
		modelFolder: join(modelDir, "whisper-base"),
		voiceActivityFolder: join(modelDir, "silero-vad"),
		threads: 1,
		processor: "cpu",
		verify: false,
	});
	const decoder = { decodeBytes: decodesNothing, decodeFile: decodesNothing };
	return new EngineCore(models, decoder, 5);
}

function transcribe(
	core: EngineCore,
	{ samples }: Piece,
	language: Language,
): Promise<SessionEvent[]> {
	const events: SessionEvent[] = [];
	return new Promise((done, failed) => {
		const recognition = core.open(
			{ ...options, language, oneText: true },
			{
				onEvent: (event) => events.push(event),
				onFailed: failed,
				onUsed: () => {},
				onEnded: () => done(events),
			},
		);
		recognition.push(pcm(samples));
		recognition.finish();
	});
}

t.test("what nobody said", { skip: skipped }, async (t) => {
	const core = await openCore();
	t.teardown(() => core.close());
	const pieces = await keptNonSpeech();
	const answersTo = async (piece: Piece) => {
		const texts: string[] = [];
		for (const language of languages) {
			const events = await transcribe(core, piece, language);
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
