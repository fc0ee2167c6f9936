/** A recording without certain speech, with made-up probabilities. */
import t from "tap";
import {
	endpointRules,
	filePassageRules,
	passageRules,
} from "../../runtime/segmentation/rules.js";
import { Segmenter } from "../../runtime/segmentation/segmenter.js";
import { ends, probabilities, run, shape, windows } from "./probabilities.js";

/** A short word: five windows with a maximum of 0.63. */
const word = probabilities([
	[1, 0.01],
	[0.128, 0.63],
	[0.032, 0.6],
]);
const silence = probabilities([[1, 0.01]]);
const knock = probabilities([[0.064, 0.7]]);

t.test("a single uncertain word is a passage", async (t) => {
	for (const behind of [silence, []]) {
		const events = run(passageRules(), [...word, ...behind]);
		t.equal(shape(events), "begin end");
		const [end] = ends(events);
		const onset = windows(1) * 512;
		t.match(end, {
			why: "finish",
			segment: {
				index: 1,
				speechStartSample: onset - 4000,
				speechEndSample: onset + 5 * 512,
				voiced: [],
			},
		});
		const { startSample = 0, endSample = 0, samples } = end?.segment ?? {};
		t.equal(samples?.length, endSample - startSample);
	}
});

t.test("of several sounds the likeliest", async (t) => {
	const events = run(passageRules(), [...word, ...silence, ...knock, ...word]);
	t.equal(ends(events).length, 1);
	t.equal(
		ends(events)[0]?.segment.speechEndSample,
		(windows(1) + 5) * 512,
		"the first of equals",
	);
});

t.test("a knock is not", async (t) => {
	t.strictSame(run(passageRules(), [...silence, ...knock, ...silence]), []);
});

t.test("beside speech it is not", async (t) => {
	const speech = probabilities([
		[1, 0.95],
		[4, 0.01],
	]);
	for (const parts of [
		[...word, ...silence, ...speech],
		[...speech, ...word, ...silence],
	]) {
		const found = ends(run(passageRules(), parts));
		t.equal(found.length, 1);
		t.ok((found[0]?.segment.voiced.length ?? 0) > 0, "the speech");
	}
});

t.test("it does not apply to sentences and files", async (t) => {
	for (const rules of [endpointRules(800), filePassageRules()])
		t.strictSame(run(rules, [...word, ...silence]), []);
});

t.test("silence behind it counts as behind speech", (t) => {
	const silentBehind = (sound: readonly number[]) => {
		const segmenter = new Segmenter(passageRules());
		for (const probability of [...sound, ...silence])
			segmenter.accept(new Float32Array(512), probability);
		return segmenter.silentSamples;
	};
	const lag = passageRules().offsetLagWindows * 512;
	t.equal(silentBehind(word), windows(1) * 512 + lag);
	t.equal(silentBehind(knock), undefined);
	t.equal(silentBehind([]), undefined);
	t.end();
});
