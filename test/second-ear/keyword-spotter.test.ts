/** Phrases in real speech, found by the published model: each in the clip that it is said in, and in no other. */
import t from "tap";
import type { KeywordSpotter } from "../../runtime/models/keyword-spotter.js";
import { spokenSyllables } from "../../runtime/text/zh/pinyin.js";
import { realModel } from "../published/cases.js";
import { missing, readWav, sharedAudio } from "../whisper/packages.js";
import { openReal } from "./real-second-ear.js";

const skip = missing(realModel, sharedAudio);
const phrases: Readonly<Record<string, string>> = {
	"zh-aishell-1.wav": "中介协会",
	"zh-firered-1.wav": "交易几乎",
	"zh-fleurs-007.wav": "制作了",
	"zh-fleurs-009.wav": "看上去",
	"zh-fleurs-012.wav": "金字塔",
	"zh-fleurs-021.wav": "阿根廷",
	"zh-fleurs-029.wav": "登上领奖台",
	"zh-parrots-1.wav": "北京图书馆",
	"zh-uberi-1.wav": "自己的脚",
};

const phrase = (text: string, threshold = 0.5) => ({
	phrase: text,
	threshold,
	syllables: (spokenSyllables(text) ?? []).map(({ syllable, tone }) => ({
		base: syllable,
		tone,
	})),
});

async function foundIn(
	spotter: KeywordSpotter,
	samples: Float32Array,
	pieceSamples: number,
) {
	spotter.begin();
	const found = [];
	for (let at = 0; at < samples.length; at += pieceSamples)
		found.push(await spotter.accept(samples.slice(at, at + pieceSamples)));
	found.push(await spotter.end());
	return found.filter((it) => it !== undefined);
}

t.test("each phrase in its own clip only", { skip }, async (t) => {
	const secondEar = await openReal();
	const spotter = secondEar.spotterOf(
		Object.values(phrases).map((it) => phrase(it)),
	);
	for (const [file, spoken] of Object.entries(phrases)) {
		const samples = readWav(`${sharedAudio}/${file}`);
		const found = await foundIn(spotter, samples, 512);
		t.same(
			found.map((it) => it.phrase),
			[spoken],
			file,
		);
		const [{ startSample = 0, lastVowelSample = 0, confidence = 0 } = {}] =
			found;
		t.ok(0 <= startSample && startSample < lastVowelSample);
		t.ok(lastVowelSample <= samples.length && confidence > 0.5);
	}
	await secondEar.close();
});

t.test(
	"what is found does not depend on the pieces, nor on what was before",
	{ skip },
	async (t) => {
		const secondEar = await openReal();
		const spotter = secondEar.spotterOf([phrase("看上去")]);
		const samples = readWav(`${sharedAudio}/zh-fleurs-009.wav`).slice(
			0,
			80_000,
		);
		const whole = await foundIn(spotter, samples, samples.length);
		t.equal(whole.length, 1);
		t.same(await foundIn(spotter, samples, 1234), whole);
		await secondEar.close();
	},
);

t.test("a higher threshold wants a clearer phrase", { skip }, async (t) => {
	const secondEar = await openReal();
	const samples = readWav(`${sharedAudio}/zh-uberi-1.wav`);
	const found = async (threshold: number) =>
		(
			await foundIn(
				secondEar.spotterOf([phrase("自己的脚", threshold)]),
				samples,
				1600,
			)
		).length;
	t.equal(await found(0.2), 1);
	t.equal(await found(0.999), 0);
	await secondEar.close();
});
