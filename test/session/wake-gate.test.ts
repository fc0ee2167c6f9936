/** Sessions that wait for a wake word. */
import t from "tap";
import type { KeywordSpotter } from "../../runtime/models/keyword-spotter.js";
import type { SessionEvent } from "../../runtime/session/events.js";
import { RecognitionSession } from "../../runtime/session/recognition.js";
import { WakeGate } from "../../runtime/session/wake-gate.js";
import { of, perform, scriptedSegmenter, speech } from "./rehearsal.js";

/** The wake word: so much speech with this value. Its last vowel begins 200 ms before its end. */
const call = Math.fround(0.7);
const callMs = 800;
const callSamples = callMs * 16;

/** Finds the wake word this much later than its end. */
function fakeSpotter(delayMs: number) {
	const calls = { begin: 0, samples: 0 };
	let acceptedSamples = 0;
	/** Of the call. */
	let first = -1;
	let last = -1;
	const find = () => {
		if (first < 0 || last - first + 1 < callSamples) return undefined;
		const startSample = first;
		first = Number.POSITIVE_INFINITY;
		return {
			phrase: "小智小智",
			confidence: 0.8,
			startSample,
			lastVowelSample: startSample + callSamples - 3200,
		};
	};
	const spotter: KeywordSpotter = {
		begin: () => {
			calls.begin++;
			acceptedSamples = 0;
			first = -1;
		},
		accept: async (samples) => {
			calls.samples += samples.length;
			samples.forEach((it, i) => {
				if (it !== call) return;
				if (first < 0) first = acceptedSamples + i;
				last = acceptedSamples + i;
			});
			acceptedSamples += samples.length;
			return acceptedSamples - last > delayMs * 16 ? find() : undefined;
		},
		end: async () => find(),
	};
	return { spotter, calls };
}

function called(): Float32Array {
	const samples = speech(callMs);
	samples.fill(call);
	// the vowel ends in a dip of the level
	samples.fill(0.4, callSamples - 640);
	samples[callSamples - 1] = call;
	return samples;
}

function joined(...parts: readonly Float32Array[]): Float32Array {
	const whole = new Float32Array(parts.reduce((sum, it) => sum + it.length, 0));
	let filled = 0;
	for (const it of parts) {
		whole.set(it, filled);
		filled += it.length;
	}
	return whole;
}

async function play(
	samples: Float32Array,
	{
		delayMs = 300,
		chunk = 1600,
		seconds = 6,
		awake = false,
		partials = true,
	} = {},
) {
	const { spotter, calls } = fakeSpotter(delayMs);
	const gate = new WakeGate(scriptedSegmenter(), spotter, { seconds, awake });
	const session = new RecognitionSession(
		{ language: "en-US", durationSecondsMax: 600, partials },
		gate,
	);
	const { events } = await perform(session, samples, { chunk: () => chunk });
	return { events, calls };
}

const kinds = (events: readonly SessionEvent[]) =>
	events.map((it) => it.is).filter((it) => it !== "partial");

t.test("without a wake word no speech is recognized", async (t) => {
	const { events, calls } = await play(speech(-500, 2000, -2000, 3000, -1500));
	t.same(kinds(events), ["completed"]);
	t.equal(calls.begin, 2, "the spotter hears each segment");
	t.ok(calls.samples < 16 * 9000, "and no silence beyond it");
});

t.test("a wake word is awaited in speech longer than a segment", async (t) => {
	const long = speech(-500, 19_500, -200, 12_000, -1500);
	t.same(kinds((await play(long)).events), ["completed"]);
	const sound = joined(long, called(), speech(-1500, 2000, -1500));
	t.same(kinds((await play(sound)).events), [
		"wake",
		"speech-begin",
		"final",
		"sleep",
		"completed",
	]);
});

t.test("what is said after a pause is recognized, until a pause", async (t) => {
	const sound = joined(
		...[speech(-500), called(), speech(-1500, 2000, -1500, 1000, -1500)],
	);
	const { events } = await play(sound);
	const expected = ["wake", "speech-begin", "final", "sleep", "completed"];
	t.same(kinds(events), expected);
	const [wake] = of(events, "wake");
	t.match(wake, { phrase: "小智小智", confidence: 0.8, beginMs: 500 });
	t.ok(Math.abs((wake?.endMs ?? 0) - 1300) < 100, `${wake?.endMs}`);
	t.ok((wake?.audioMs ?? 0) < 1900, "soon");
	const [final] = of(events, "final");
	t.equal(final?.utterance.index, 1);
	t.ok((final?.utterance.beginMs ?? 0) > 2500);
});

t.test("what is said in one breath is recognized without it", async (t) => {
	const sound = joined(
		...[speech(-500, 300), called(), speech(1500, -300, 700, -1500)],
	);
	for (const delayMs of [0, 300, 900, 2500]) {
		const { events } = await play(sound, { delayMs });
		const expected = ["wake", "speech-begin", "final", "sleep", "completed"];
		t.same(kinds(events), expected, `${delayMs} ms later`);
		const [wake] = of(events, "wake");
		const [final] = of(events, "final");
		t.equal(final?.utterance.beginMs, wake?.endMs);
		t.ok(Math.abs((final?.utterance.endMs ?? 0) - 4300) < 300);
	}
});

t.test("the same events, however the audio is cut", async (t) => {
	const sound = joined(
		...[speech(-500, 300), called(), speech(1500, -300, 700, -1500)],
		...[called(), speech(-1000, 2000, -900)],
	);
	const whole = await play(sound, { delayMs: 0, partials: false });
	for (const chunk of [512, 700, 5120]) {
		const { events } = await play(sound, {
			delayMs: 0,
			chunk,
			partials: false,
		});
		t.same(kinds(events), kinds(whole.events), `${chunk}`);
	}
});

t.test("an echo of the wake word is not what follows it", async (t) => {
	const sound = (echoMs: number) =>
		joined(
			...[speech(-500), called(), speech(echoMs, -1500, 2000, -1500)],
			...[speech(2000, -1500)],
		);
	const { events: short } = await play(sound(250));
	t.same(kinds(short), ["wake", "speech-begin", "final", "sleep", "completed"]);
	t.ok((of(short, "final")[0]?.utterance.beginMs ?? 0) > 2500);
	const { events: long } = await play(sound(450));
	t.same(kinds(long), [
		"wake",
		"speech-begin",
		"final",
		"speech-begin",
		"final",
		"sleep",
		"completed",
	]);
});

t.test("nothing follows: asleep again", async (t) => {
	const sound = joined(
		...[speech(-500), called(), speech(-5000, 2000, -1500)],
		...[called(), speech(-700, 1000, -900)],
	);
	const { events } = await play(sound, { seconds: 3 });
	const first = ["wake", "sleep"];
	const second = ["wake", "speech-begin", "final", "sleep", "completed"];
	t.same(kinds(events), [...first, ...second]);
	const [slept] = of(events, "sleep");
	t.ok(Math.abs((slept?.audioMs ?? 0) - 4700) < 200, `${slept?.audioMs}`);
});

t.test("a continued recognition is awake", async (t) => {
	const { events } = await play(speech(-500, 2000, -1500), { awake: true });
	t.same(kinds(events), ["speech-begin", "final", "sleep", "completed"]);
});

t.test("speech longer than a segment passes to its pause", async (t) => {
	const sound = joined(
		...[speech(-500), called(), speech(-1000, 40_000, -1500, 2000, -1500)],
	);
	const { events } = await play(sound, { chunk: 8000 });
	t.same(kinds(events), [
		"wake",
		"speech-begin",
		"final",
		"speech-begin",
		"final",
		"sleep",
		"completed",
	]);
});

t.test("the end of the audio ends what passes", async (t) => {
	const sound = joined(speech(-500), called(), speech(-900, 1500));
	const { events } = await play(sound);
	t.same(kinds(events), [
		"wake",
		"speech-begin",
		"final",
		"sleep",
		"completed",
	]);
});

t.test(
	"a wake word after the moment at which long speech is cut is not part of what follows",
	async (t) => {
		const quieter = new Float32Array(9 * 512).fill(0.36);
		const sound = joined(
			...[speech(-320, 20_000), quieter, speech(2500), called()],
			speech(8000, -1500),
		);
		const { events } = await play(sound);
		t.same(kinds(events), [
			"wake",
			"speech-begin",
			"final",
			"sleep",
			"completed",
		]);
		const [wake] = of(events, "wake");
		const [final] = of(events, "final");
		t.equal(final?.utterance.beginMs, wake?.endMs);
	},
);

t.test(
	"in a continued recognition the end of the wake word is not what follows it",
	async (t) => {
		const sound = speech(-200, 300, -1500, 2000, -1500);
		const { events } = await play(sound, { awake: true });
		t.same(kinds(events), [
			"speech-begin",
			"final",
			"speech-begin",
			"final",
			"sleep",
			"completed",
		]);
	},
);
