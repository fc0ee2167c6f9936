/** Speakers of generated spans: where they divide regions, which speakers they separate, and simultaneous speakers. */
import t from "tap";
import { groupOf } from "../../runtime/speakers/groups.js";
import { labelSpeakers } from "../../runtime/speakers/label-speakers.js";
import { LocalSpans } from "../../runtime/speakers/local-spans.js";
import {
	dividedAtChanges,
	groupsApart,
	localSpeakersOf,
} from "../../runtime/speakers/local-speakers.js";
import { turnsBeside } from "../../runtime/speakers/turns-beside.js";
import { MadeVoices, shape } from "./made-voices.js";

/** Classes of the network: nobody, the three alone, 1 and 2. */
const [nobody, one, two, three, both] = [0, 1, 2, 3, 4] as const;
const spanWindows = 312;
const stepWindows = 156;

/** @param classAt of a window of the recording. */
function spansOf(
	windows: number,
	classAt: (window: number, span: number) => number,
): LocalSpans {
	const spans = new LocalSpans();
	const add = (firstWindow: number, place: number) =>
		spans.add({
			firstWindow,
			speaking: Uint8Array.from(
				{ length: Math.min(spanWindows, windows) },
				(_, i) => classAt(firstWindow + i, place),
			),
		});
	let place = 0;
	let first = 0;
	for (; first + spanWindows < windows; first += stepWindows)
		add(first, place++);
	add(Math.max(0, windows - spanWindows), place);
	return spans;
}

t.test("a window is covered by the spans that contain it", async (t) => {
	const windows = 1000;
	const spans = spansOf(windows, () => one);
	for (let window = 0; window < windows; window++) {
		const places = spans.covering(window);
		t.ok(places.length >= 1 && places.length <= 3, `${window}: ${places}`);
		const best = spans.best(window) as number;
		t.ok(places.includes(best));
	}
	t.same(spans.covering(windows), []);
	t.same(spans.covering(10), [0]);
	t.same(spans.covering(200), [0, 1]);
	t.same(spans.covering(999), [5]);
	t.same(spansOf(40, () => one).covering(39), [0], "one short span");
	t.same(new LocalSpans().covering(3), []);
});

t.test("a region is divided where the speaker changes", async (t) => {
	// 3.2 s one voice, then another; which one is number 1 differs between spans
	const spans = spansOf(600, (window, span) =>
		window < 100 === (span % 2 === 0) ? one : two,
	);
	const whole = { startMs: 320, endMs: 6400 };
	t.same(dividedAtChanges([whole], spans), [
		{ startMs: 320, endMs: 3200 },
		{ startMs: 3200, endMs: 6400 },
	]);
	const crumbs = { startMs: 3000, endMs: 6400 };
	t.same(dividedAtChanges([crumbs], spans), [crumbs], "not into crumbs");
	t.same(dividedAtChanges([whole], new LocalSpans()), [whole]);
	const pausing = spansOf(600, (window) =>
		window < 100 ? one : window < 110 ? nobody : window < 120 ? both : two,
	);
	t.same(
		dividedAtChanges([whole], pausing).map((it) => it.startMs),
		[320, 3840],
		"where the other one is alone",
	);
});

t.test("a change between two spans divides as one within a span", async (t) => {
	const missed: string[] = [];
	for (const overlap of [0, 8])
		for (let change = 160; change <= 300; change++) {
			// numbers differ between spans
			const spans = spansOf(600, (window, span) => {
				if (window < change && window >= change - overlap) return both;
				return window < change === (span % 2 === 0) ? one : two;
			});
			const region = { startMs: 3200, endMs: 12_800 };
			const starts = dividedAtChanges([region], spans).map((it) => it.startMs);
			if (`${starts}` !== `3200,${change * 32}`)
				missed.push(`${change} after ${overlap}: ${starts}`);
		}
	t.same(missed, []);
});

t.test(
	"voices that one span separates are two speakers, also if they are similar",
	async (t) => {
		const voices = new MadeVoices(5, 2, 0.55);
		const windows = Array.from({ length: 8 }, (_, i) => ({
			region: 0,
			startSample: i * 25_600,
			endSample: (i + 1) * 25_600,
		}));
		const speaker = (i: number) => (i < 4 ? 0 : 1);
		const embeddings = windows.map((_, i) => voices.window(speaker(i), 0.9));
		const spans = spansOf(400, (window) => (window < 200 ? one : two));
		const locals = localSpeakersOf(windows, embeddings, spans);
		t.ok(locals.length >= 2);
		t.ok(locals.every((it) => it.seconds > 1));
		t.equal(groupsApart(locals, shape, 0).length, 2);
		t.equal(
			groupsApart(locals, { ...shape, localDistance: 2 }, 0).length,
			2,
			"at any distance",
		);
		const labels = labelSpeakers(windows, embeddings, shape, 0, locals);
		t.equal(new Set(labels).size, 2);
		t.ok(
			labels.every((it, i) => (it === labels[0]) === i < 4),
			`${labels}`,
		);
		const alone = labelSpeakers(windows, embeddings, shape, 1, locals);
		t.equal(new Set(alone).size, 1, "never more than were asked for");
	},
);

/** @returns labels of voices that talk one after the other, three of them in a span. */
function labelsInTurn(
	voices: number,
	windowsEach: number,
	count: number,
): number[] {
	const made = new MadeVoices(voices, voices);
	const windows = Array.from({ length: voices * windowsEach }, (_, i) => ({
		region: 0,
		startSample: i * 25_600,
		endSample: (i + 1) * 25_600,
	}));
	const voiceOf = (i: number) => Math.floor(i / windowsEach);
	const embeddings = windows.map((_, i) => made.window(voiceOf(i)));
	const spans = spansOf(windows.length * 50, (window) => {
		const voice = voiceOf(window / 50);
		return [one, two, three][voice % 3] as number;
	});
	const locals = localSpeakersOf(windows, embeddings, spans);
	return labelSpeakers(windows, embeddings, shape, count, locals);
}

t.test("speakers beyond the limit are joined, and no others", async (t) => {
	const found = (...of: Parameters<typeof labelsInTurn>) =>
		new Set(labelsInTurn(...of)).size;
	for (const voices of [8, 9, 10])
		t.equal(found(voices, 3, 0), voices, `${voices} voices`);
	for (const voices of [11, 12, 14])
		t.equal(found(voices, 3, 0), 10, `${voices} voices`);
	for (const [voices, count] of [
		[5, 5],
		[5, 4],
		[5, 3],
		[6, 4],
	] as const)
		t.equal(found(voices, 2, count), count, `${voices} asked for as ${count}`);
});

t.test("one voice that a span takes for two is one speaker", async (t) => {
	const made = new MadeVoices(11, 1);
	const windows = Array.from({ length: 40 }, (_, i) => ({
		region: 0,
		startSample: i * 25_600,
		endSample: (i + 1) * 25_600,
	}));
	const embeddings = windows.map(() => made.window(0, 0.9));
	const spans = spansOf(2000, (window, span) =>
		span === 4 && window >= 750 && window < 800 ? two : one,
	);
	const locals = localSpeakersOf(windows, embeddings, spans);
	t.equal(locals.filter((it) => it.span === 4).length, 2);
	const labels = labelSpeakers(windows, embeddings, shape, 0, locals);
	t.equal(new Set(labels).size, 1, `${labels}`);
	const { localDistance: _, ...without } = shape;
	t.same(groupsApart(locals, without, 0), [], "not used without a distance");
});

t.test(
	"a simultaneous speaker gets a turn of the second speaker",
	async (t) => {
		const voices = new MadeVoices(7, 2);
		const [first, second] = [0, 1].map((it) => groupOf([voices.window(it, 1)]));
		const spans = spansOf(300, (window) =>
			window < 100 ? one : window < 150 ? both : two,
		);
		const locals = [first, second].map((it, speaker) => ({
			span: 0,
			speaker,
			embedding: (it as NonNullable<typeof it>).centre,
			seconds: 3,
		}));
		const groups = [first, second] as NonNullable<typeof first>[];
		const regions = [{ startMs: 0, endMs: 9600 }];
		const turns = [
			{ startMs: 0, endMs: 4000, speaker: 1 },
			{ startMs: 4000, endMs: 9600, speaker: 2 },
		];
		t.same(turnsBeside(turns, regions, spans, locals, groups, [1, 2]), [
			{ startMs: 3200, endMs: 4000, speaker: 2, beside: true },
			{ startMs: 4000, endMs: 4800, speaker: 1, beside: true },
		]);
		const pause = [{ startMs: 0, endMs: 3200 }];
		t.same(turnsBeside(turns, pause, spans, locals, groups, [1, 2]), []);
		t.same(
			turnsBeside(turns, regions, new LocalSpans(), [], groups, [1, 2]),
			[],
		);
	},
);

t.test(
	"a second speaker who is never alone, or sounds like the first one, is named",
	async (t) => {
		const voices = new MadeVoices(9, 2, 0.55);
		const groups = [0, 1].map((it) => groupOf([voices.window(it, 1)]));
		const [first, second] = groups.map((it) => it.centre) as [
			Float32Array,
			Float32Array,
		];
		/** Of both at once: mostly of the first. */
		const mixed = groupOf([first, first, second]).centre;
		const windows = Array.from({ length: 6 }, (_, i) => ({
			region: 0,
			startSample: i * 25_600,
			endSample: (i + 1) * 25_600,
		}));
		const spans = spansOf(300, (window) =>
			window >= 100 && window < 150 ? both : one,
		);
		const embeddings = windows.map((_, i) => (i === 2 ? mixed : first));
		const locals = localSpeakersOf(windows, embeddings, spans);
		const regions = [{ startMs: 0, endMs: 9600 }];
		const turns = [{ startMs: 0, endMs: 9600, speaker: 1 }];
		const beside = [{ startMs: 3200, endMs: 4800, speaker: 2, beside: true }];
		t.same(turnsBeside(turns, regions, spans, locals, groups, [1, 2]), beside);
		t.equal(groupsApart(locals, shape, 0).length, 1, "founds no speaker");
		const alike = [first, mixed].map((embedding, speaker) => ({
			span: 0,
			speaker,
			embedding,
			seconds: 3,
		}));
		t.same(turnsBeside(turns, regions, spans, alike, groups, [1, 2]), beside);
		t.same(
			turnsBeside(turns, regions, spans, alike, groups.slice(0, 1), [1]),
			[],
			"unless there is no other one",
		);
	},
);
