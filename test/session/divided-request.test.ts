import t from "tap";
import type { Hypothesis } from "../../runtime/models/recognizer.js";
import type { Segment } from "../../runtime/segmentation/events.js";
import type { Decode } from "../../runtime/session/decode-plan.js";
import { DividedRequest } from "../../runtime/session/divided-request.js";
import { madeHypothesis } from "./made-utterances.js";
import {
	of,
	perform,
	type RehearsedOptions,
	rehearse,
	speech,
} from "./rehearsal.js";

const pieceMs = [1500, -3000, 1500];
const audio = speech(-1000, ...pieceMs, -1000);
const isWhole = ({ speechStartSample, speechEndSample }: Segment) =>
	speechEndSample - speechStartSample > 3 * 16_000;

interface Answers {
	readonly pieces: number;
	readonly whole: number;
	readonly wholeText?: string;
	readonly pieceText?: string;
}

/** @returns the events, and the segments whose finals were decoded. */
async function recognized(
	{ pieces, whole, wholeText = "all of it", pieceText = "bits" }: Answers,
	options: RehearsedOptions = {},
	samples = audio,
) {
	const finals: Segment[] = [];
	const recognize = ({ segment, urgency }: Decode): Hypothesis => {
		if (urgency === "final") finals.push(segment);
		const all = isWhole(segment);
		return madeHypothesis(all ? wholeText : pieceText, {
			confidence: all ? whole : pieces,
		});
	};
	const session = rehearse({ oneText: true, ...options });
	const { events } = await perform(session, samples, {
		recognize,
		inputWaits: () => true,
	});
	return { events, finals, completed: of(events, "completed")[0] };
}

t.test(
	"a doubtful text of several passages is recognized as a whole",
	async (t) => {
		const { events, finals, completed } = await recognized({
			pieces: 0.2,
			whole: 0.5,
		});
		t.equal(completed?.text, "all of it");
		t.equal(completed?.confidence, 0.5);
		t.equal(of(events, "completed").length, 1);
		t.same(
			of(events, "final").map((it) => it.utterance.text),
			["bits", "bits"],
			"the passages were emitted, once each",
		);
		const whole = finals.at(-1) as Segment;
		t.equal(finals.length, 3);
		t.equal(whole.startSample, finals[0]?.startSample);
		t.equal(whole.endSample, finals[1]?.endSample);
		t.equal(whole.samples.length, whole.endSample - whole.startSample);
		t.same(
			whole.samples,
			audio.slice(whole.startSample, whole.endSample),
			"with the audio between the passages",
		);
		t.match(whole.pauses, [
			{
				startSample: finals[0]?.speechEndSample,
				endSample: finals[1]?.speechStartSample,
			},
		]);
	},
);

t.test("the passages' texts stay", async (t) => {
	const kept = async (answers: Answers, message: string) =>
		t.equal((await recognized(answers)).completed?.text, "bits bits", message);
	await kept({ pieces: 0.2, whole: 0.1 }, "if the whole is less certain");
	await kept(
		{ pieces: 0.2, whole: 0.9, wholeText: "bits" },
		"if the whole leaves out speech",
	);
	await kept(
		{ pieces: 0.2, whole: 0.9, wholeText: "" },
		"if the whole has no text",
	);
});

t.test("nothing is recognized again", async (t) => {
	const decodes = async (
		answers: Answers,
		options?: RehearsedOptions,
		samples?: Float32Array,
	) => (await recognized(answers, options, samples)).finals.length;
	const doubtful = { pieces: 0.2, whole: 0.9 };
	t.equal(await decodes({ ...doubtful, pieces: 0.4 }), 2, "without doubt");
	t.equal(await decodes({ ...doubtful, pieceText: "" }), 2, "without a text");
	t.equal(
		await decodes(doubtful, {}, speech(-1000, 1500, -1000)),
		1,
		"of a single passage",
	);
	t.equal(
		await decodes(doubtful, {}, speech(-1000, ...pieceMs, -30_000)),
		2,
		"of more than a recognizer accepts",
	);
	t.equal(await decodes(doubtful, { oneText: false }), 2, "of sentences");
	t.equal(
		await decodes(doubtful, { keepsWhole: false }),
		2,
		"of a stream without an end",
	);
	const wake = { words: [], seconds: 10 };
	t.equal(await decodes(doubtful, { wake }), 2, "after wake words");
});

t.test("the sound of a long recording is not kept", (t) => {
	const request = new DividedRequest();
	const second = new Float32Array(16_000);
	const addPiece = () =>
		request.add({
			segment: {
				index: 1,
				startSample: 0,
				speechStartSample: 0,
				endSample: second.length,
				speechEndSample: second.length,
				pauses: [],
				voiced: [],
				samples: second,
			},
			hypothesis: madeHypothesis("bits", { confidence: 0.2 }),
			decidedAtSample: 0,
		});
	for (let i = 0; i < 28; i++) request.accept(second);
	addPiece();
	t.equal(request.samplesHeld, 29 * 16_000, "of what may be recognized again");
	for (let i = 0; i < 60; i++) {
		request.accept(second);
		addPiece();
	}
	t.equal(request.samplesHeld, 0);
	t.equal(request.takeWhole(), undefined);
	t.end();
});
