/** Speakers found from generated embeddings, and the labels of damaged or unusual ones. */
import t from "tap";
import { labelSpeakers } from "../../runtime/speakers/label-speakers.js";
import { windowsOf } from "../../runtime/speakers/windows.js";
import { holds } from "../fuzz/holds.js";
import {
	labelsOf,
	takingTurns,
	voicesAreFound,
} from "./label-speakers.property.js";
import { MadeVoices, sameGroups, shape, singleWindows } from "./made-voices.js";

const seed = 1;

await holds(t, voicesAreFound(), 14);

t.test("one voice is one speaker, however long it talks", async (t) => {
	for (const windows of [1, 2, 5, 9, 10, 50, 450]) {
		const made = new MadeVoices(seed + windows, 1);
		const labels = labelsOf(Array(windows).fill(0), 0, () => made.window(0));
		t.equal(new Set(labels).size, 1, `${windows} windows`);
	}
});

t.test("a few windows are enough for two speakers", async (t) => {
	const made = new MadeVoices(seed, 2);
	const truth = [0, 1, 0, 0, 1];
	for (const count of [0, 2])
		t.ok(
			sameGroups(
				labelsOf(truth, count, (voice) => made.window(voice)),
				truth,
			),
		);
});

t.test("a given number of speakers is found, and never exceeded", async (t) => {
	const made = new MadeVoices(seed, 4);
	const truth = takingTurns(made, 120, 4);
	const labels = (count: number) =>
		new Set(labelsOf(truth, count, (voice) => made.window(voice))).size;
	t.equal(labels(1), 1);
	t.equal(labels(2), 2);
	t.equal(labels(3), 3);
	t.equal(labels(4), 4);
	for (const count of [5, 8, 10]) t.ok(labels(count) <= count);
	for (const windows of [1, 2, 3, 6, 9, 12]) {
		const few = labelsOf(Array(windows).fill(0), 10, () => made.window(0, 0.5));
		t.ok(new Set(few).size <= 10, `10 voices wanted of ${windows} windows`);
	}
});

t.test(
	"similar voices are separate with a given number, and one speaker without",
	async (t) => {
		const made = new MadeVoices(seed, 2, 0.62);
		const truth = takingTurns(made, 160, 2);
		t.ok(
			sameGroups(
				labelsOf(truth, 2, (voice) => made.window(voice, 0.95)),
				truth,
			),
		);
		const same = new MadeVoices(seed, 2, 0.9);
		const labels = labelsOf(truth, 0, (voice) => same.window(voice, 0.95));
		t.equal(new Set(labels).size, 1);
	},
);

t.test("a few unusual windows do not make a separate speaker", async (t) => {
	const made = new MadeVoices(seed, 3);
	const truth = Array.from({ length: 100 }, (_, i) => (i === 40 ? 2 : i % 2));
	const labels = labelsOf(truth, 0, (voice) => made.window(voice));
	t.equal(new Set(labels).size, 2);
});

t.test(
	"short windows are assigned to speakers but do not create any",
	async (t) => {
		const made = new MadeVoices(seed, 3);
		const truth = Array.from({ length: 60 }, (_, i) => i % 2);
		const regions = [...singleWindows(60), ...singleWindows(20, 0.6)];
		const windows = windowsOf(regions, shape);
		const all = [...truth, ...Array(20).fill(2)];
		const embeddings = all.map((voice) => made.window(voice));
		const labels = labelSpeakers(windows, embeddings, shape, 0);
		t.ok(sameGroups(labels.slice(0, 60), truth));
		t.equal(new Set(labels).size, 2);
		const short = labelsOf(truth, 0, (voice) => made.window(voice), 0.6);
		t.ok(sameGroups(short, truth), "unless there are no others");
	},
);

t.test(
	"all equal, zero, not finite and missing embeddings give labels",
	async (t) => {
		const made = new MadeVoices(seed, 1);
		const one = made.window(0);
		for (const windows of [1, 8, 30]) {
			const truth = Array(windows).fill(0);
			for (const count of [0, 2, 10]) {
				const equal = labelsOf(truth, count, () => one);
				t.equal(
					new Set(equal).size,
					1,
					`${windows} equal ones, count ${count}`,
				);
				for (const bad of [
					new Float32Array(192),
					new Float32Array(192).fill(Number.NaN),
					new Float32Array(192).fill(Number.POSITIVE_INFINITY),
					undefined,
				])
					t.same(
						labelsOf(truth, count, () => bad),
						truth,
					);
			}
		}
		t.same(labelSpeakers([], [], shape, 0), []);
	},
);

t.test("a window without an embedding gets the previous speaker", async (t) => {
	const made = new MadeVoices(seed, 2);
	const truth = [1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 1, 1];
	const silent = new Set([0, 3, 6]);
	const labels = labelsOf(truth, 0, (voice, i) =>
		silent.has(i) ? new Float32Array(192).fill(Number.NaN) : made.window(voice),
	);
	t.ok(sameGroups(labels, truth));
});

t.test("opposite embeddings break nothing", async (t) => {
	const made = new MadeVoices(seed, 1);
	const one = made.window(0);
	const truth = Array.from({ length: 40 }, (_, i) => i % 2);
	const labels = labelsOf(truth, 0, (voice) =>
		voice === 0 ? one : one.map((it) => -it),
	);
	t.ok(sameGroups(labels, truth));
});

t.test("at most ten speakers are found", async (t) => {
	const made = new MadeVoices(seed, 14);
	const truth = takingTurns(made, 280, 14);
	const labels = labelsOf(truth, 0, (voice) => made.window(voice, 0.97));
	t.ok(new Set(labels).size <= 10, `${new Set(labels).size} found`);
});

t.test("10,000 windows: two hours and more of speech", async (t) => {
	const made = new MadeVoices(seed, 3);
	const truth = takingTurns(made, 10_000, 3);
	const labels = labelsOf(truth, 0, (voice) => made.window(voice));
	t.ok(sameGroups(labels, truth));
});

t.test("equal embeddings give equal labels, every time", async (t) => {
	const made = new MadeVoices(seed, 4);
	const truth = takingTurns(made, 200, 4);
	const embeddings = truth.map((voice) => made.window(voice, 0.6));
	const once = labelsOf(truth, 0, (_, i) => embeddings[i]);
	t.same(
		labelsOf(truth, 0, (_, i) => embeddings[i]),
		once,
	);
});
