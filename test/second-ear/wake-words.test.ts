/** Wake words in an engine with the real models: what is said after one, and nothing else, becomes text. */
import { join } from "node:path";
import t from "tap";
import type { EngineCore } from "../../runtime/engine/child/engine-core.js";
import { openCore } from "../../runtime/engine/child/open-core.js";
import type { SessionEvent } from "../../runtime/session/events.js";
import type { RecognitionOptions } from "../../runtime/session/options.js";
import { tinyModel } from "../e2e/tiny-model.js";
import { options } from "../engine/fake-lane.js";
import { realModel } from "../published/cases.js";
import {
	missing,
	modelDirectory,
	readWav,
	sharedAudio,
} from "../whisper/packages.js";
import { jointModels } from "./joint-models.js";

const skip = missing(modelDirectory, sharedAudio, realModel);
const place = t.testdir();
let models = "";

t.before(async () => {
	if (!skip) models = await jointModels();
});

function openEngine(
	modelFolder: string,
	secondEarFolder?: string,
): Promise<EngineCore> {
	return openCore({
		modelFolder,
		voiceActivityFolder: "models/silero-vad",
		...(secondEarFolder && { secondEarFolder }),
		speakerFolder: join(place, "none"),
		threads: 1,
		processor: "cpu",
		recognizers: 1,
		beam: 5,
		spoolFolder: join(place, "spool"),
		spoolBytesMax: 1e6,
		verify: false,
	});
}

const chinese: RecognitionOptions = {
	...options,
	language: "zh-cmn-Hans-CN",
	keepsWhole: false,
	streamed: true,
};

function recognized(
	core: EngineCore,
	samples: Float32Array,
	...phrases: readonly string[]
): Promise<SessionEvent[]> {
	const words = phrases.map((phrase) => ({ phrase, threshold: 0.5 }));
	const events: SessionEvent[] = [];
	return new Promise((done, failed) => {
		const recognition = core.open(
			{ ...chinese, wake: { words, seconds: 6 } },
			{
				onEvent: (event) => events.push(event),
				onFailed: failed,
				onUsed: () => {},
				onEnded: () => done(events),
			},
		);
		const bytes = Int16Array.from(samples, (it) => Math.round(it * 32_767));
		recognition.push(new Uint8Array(bytes.buffer));
		recognition.finish();
	});
}

t.test("only what follows the wake word", { skip }, async (t) => {
	const core = await openEngine(modelDirectory, join(models, "ear"));
	// 警方说尸体看上去在那里放了一天左右
	const samples = readWav(join(sharedAudio, "zh-fleurs-009.wav"));
	const events = await recognized(core, samples, "警方说尸体", "阿根廷");
	t.same(
		events.map((it) => it.is),
		["wake", "speech-begin", "final", "sleep", "completed"],
	);
	const [wake, begin, final] = events;
	t.match(wake, { phrase: "警方说尸体" });
	if (wake?.is !== "wake" || begin?.is !== "speech-begin")
		throw new Error("other events");
	t.ok(wake.confidence > 0.5 && wake.beginMs > 2500);
	t.ok(wake.endMs > 3850 && wake.endMs < 4000, `${wake.endMs}`);
	t.equal(begin.atMs, wake.endMs);
	t.match(final, { utterance: { text: /^看上去.*在那里.*一天左右/ } });
	t.same(
		(await recognized(core, samples, "阿根廷")).map((it) => it.is),
		["completed"],
		"another wake word",
	);
	await t.rejects(
		async () => recognized(core, samples, "小智㐀"),
		{ status: "200002", message: /no known reading/ },
		"a character without a reading",
	);
	await core.close();
});

t.test("without a second ear wake words are refused", { skip }, async (t) => {
	const { EARSHOT_MODEL_DIR, EARSHOT_MODEL_NAME } = await tinyModel();
	const core = await openEngine(`${EARSHOT_MODEL_DIR}/${EARSHOT_MODEL_NAME}`);
	await t.rejects(
		async () => recognized(core, new Float32Array(9), "小智小智"),
		{
			status: "200002",
			message: /need a second ear.*models add zipformer-zh-ear/,
		},
	);
	await core.close();
});
