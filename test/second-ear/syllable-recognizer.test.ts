/** The published model on its own clips. */
import { existsSync, readFileSync } from "node:fs";
import t from "tap";
import type { SyllableEvidence } from "../../runtime/search/lattice/syllables.js";
import { realModel } from "../published/cases.js";
import { readWav } from "../whisper/packages.js";
import { openReal } from "./real-second-ear.js";

const skip = existsSync(realModel) ? false : `${realModel} is not here`;

const clip = (number: number) => readWav(`${realModel}/${number}.wav`);

function spelled({ syllables }: SyllableEvidence): string {
	return syllables.map(({ base, tone }) => `${base}${tone}`).join(" ");
}

const wanted = (text: string) =>
	text.split(" ").map((it) => ({
		base: it.slice(0, -1),
		tone: Number(it.slice(-1)),
	}));

t.test(
	"the syllables of a clip, with times and alternatives",
	{ skip },
	async (t) => {
		const secondEar = await openReal();
		const samples = clip(4);
		const evidence = await secondEar.evidence({ samples });
		if (!evidence) throw new Error("cancelled");
		t.equal(
			spelled(evidence),
			"jiang3 you3 bo2 bei4 pai1 dao4 dai4 zhe5 nv3 er2 chu1 you2",
		);
		let before = 0;
		for (const { base, tone, ...it } of evidence.syllables) {
			t.ok(it.startSeconds >= before && it.endSeconds > it.startSeconds, base);
			before = it.endSeconds;
			const [best] = [...it.tonedFinals].sort(([, a], [, b]) => b - a);
			t.ok(best && base.endsWith(best[0].slice(0, -1)), `${base} ${best}`);
			t.ok(Number(best?.[0].at(-1)) === tone);
		}
		t.ok(before <= samples.length / 16_000);
		const nv = evidence.syllables.find(({ base }) => base === "nv");
		const likely = (of: ReadonlyMap<string, number> | undefined) =>
			[...(of ?? [])].sort(([, a], [, b]) => b - a).slice(0, 2);
		t.match(likely(nv?.initials)[0]?.[0], "n");
		t.match(likely(nv?.finals)[0]?.[0], "v");
		await secondEar.close();
	},
);

t.test(
	"what was said scores above what sounds like it",
	{ skip },
	async (t) => {
		const secondEar = await openReal();
		const evidence = await secondEar.evidence({ samples: clip(5) });
		if (!evidence) throw new Error("cancelled");
		// 朱望军就落实控股加……; the recognizer mishears the surname 周
		const spoken = "zhu1 wang4 jun1 jiu4 luo4 shi2 kong4 gu3 jia1";
		const [own = 0, tone = 0, other = 0, less = 0, none] = await evidence.score(
			[
				wanted(spoken),
				wanted(spoken.replace("luo4", "luo2")),
				wanted(spoken.replace("luo4", "mei2")),
				wanted(spoken.replace(" luo4", "")),
				wanted(`${spoken} vvv1`),
			],
		);
		t.ok(
			own > tone && tone > other && own > less,
			`${[own, tone, other, less]}`,
		);
		t.ok(own > -20 && own < 0);
		t.equal(none, undefined);
		await secondEar.close();
	},
);

t.test("following a segment changes nothing", { skip }, async (t) => {
	const secondEar = await openReal();
	const samples = clip(6);
	const whole = await secondEar.evidence({ samples });
	const segmentKey = {};
	const ends = [3000, 20_000, 20_001, 40_000, samples.length];
	await Promise.all(
		ends.map((end) =>
			secondEar.follow({ samples: samples.subarray(0, end), segmentKey }),
		),
	);
	await secondEar.evidence({
		samples: samples.subarray(0, 50_000),
		segmentKey,
	});
	const followed = await secondEar.evidence({ samples, segmentKey });
	t.same(followed?.syllables, whole?.syllables);
	const sequence = wanted("zhu1 li4 ne5 zai4 shang4 shi4 jian4 mian4 hui4");
	t.same(await followed?.score([sequence]), await whole?.score([sequence]));
	t.equal(
		await secondEar.evidence({ samples, cancelled: () => true }),
		undefined,
	);
	await secondEar.close();
});

t.test("short audio and silence have no syllables", { skip }, async (t) => {
	const secondEar = await openReal();
	for (const length of [0, 1, 3200, 32_000]) {
		const evidence = await secondEar.evidence({
			samples: new Float32Array(length),
		});
		t.same(evidence?.syllables, [], `${length}`);
		const [score = 0] = (await evidence?.score([wanted("ni3 hao3")])) ?? [];
		t.ok(Number.isFinite(score) && score <= 0);
	}
	await secondEar.close();
});

t.test("other symbols are refused", { skip }, async (t) => {
	const text = readFileSync(`${realModel}/tokens.txt`, "utf8");
	await t.rejects(openReal(text.replace(/^zh /m, "zz ")), {
		name: "ModelFault",
		message: /no symbols for the syllables zhi: a second ear needs/,
	});
	await t.rejects(openReal("<blk> 0\n"), {
		name: "ModelFault",
		message: /has 1 symbols, the model scores 197/,
	});
});
