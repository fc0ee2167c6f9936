/** Segments of several requests in one run of the model, on scripted models. */
import t from "tap";
import type { SegmentRequest } from "../../runtime/models/recognizer.js";
import { eventually } from "../fixtures/eventually.js";
import { madeHypothesis } from "../session/made-utterances.js";
import { coreOf, pcm, play } from "./scripted-core.js";

t.test("finals that are due together share a run", async (t) => {
	const runs: string[][] = [];
	let release = () => {};
	const first = new Promise<void>((resolve) => {
		release = resolve;
	});
	let broken = -1;
	const lengthOf = ({ samples }: SegmentRequest) => `${samples.length}`;
	const core = coreOf(
		async (request) => {
			runs.push([lengthOf(request)]);
			if (runs.length === 1) await first; // the others become due meanwhile
			if (request.samples.length === broken) throw new Error("bad segment");
			return madeHypothesis(lengthOf(request));
		},
		[],
		{
			nextBatch: (waiting) => waiting,
			recognizeAll: async (requests) => {
				runs.push(requests.map(lengthOf));
				if (requests.some((it) => it.samples.length === broken))
					throw new Error("bad segment");
				return requests.map((it) => madeHypothesis(lengthOf(it)));
			},
		},
	);
	const play3 = async () => {
		runs.length = 0;
		const played = [500, 700, 900, 1100].map((ms) => play(core, pcm(ms, 900)));
		await eventually("the first run", () => runs.length > 0);
		for (let i = 0; i < 100; i++) await new Promise(setImmediate);
		release();
		return Promise.all(played.map(async (it) => (await it.ended).error));
	};
	t.same(await play3(), [undefined, undefined, undefined, undefined]);
	t.equal(runs.length, 2, "one alone, three together");
	t.equal(runs[1]?.length, 3);
	broken = Number(runs[1]?.[1]);
	const errors = await play3();
	t.equal(errors.filter((it) => it !== undefined).length, 1, "only its own");
});

t.test(
	"first words that are due together share a run, which a final ends",
	async (t) => {
		const runs: string[][] = [];
		let release = () => {};
		const first = new Promise<void>((resolve) => {
			release = resolve;
		});
		let polled = 0;
		const core = coreOf(
			async ({ open = false }) => {
				runs.push([open ? "partial" : "final"]);
				if (runs.length === 1) await first; // the others become due meanwhile
				return madeHypothesis("x");
			},
			[],
			{
				nextBatch: (waiting) => waiting,
				recognizeAll: async (requests) => {
					runs.push(requests.map(({ open = false }) => `${open}`));
					while (!requests.every((it) => it.cancelled?.())) {
						polled++;
						await new Promise(setImmediate);
					}
					return requests.map(() => "cancelled" as const);
				},
			},
		);
		const live = { partials: true, streamed: true };
		const speakers = Array.from({ length: 4 }, () => {
			const speaker = play(core, undefined, live);
			speaker.recognition.push(pcm(700));
			return speaker;
		});
		await eventually("the first partial", () => runs.length > 0);
		for (let i = 0; i < 100; i++) await new Promise(setImmediate);
		release();
		await eventually("the others together", () => polled > 0);
		t.same(runs[1], ["true", "true", "true"]);
		speakers[0]?.recognition.finish();
		await speakers[0]?.ended;
		t.match(speakers[0]?.events.at(-1), { is: "completed", text: "x" });
		t.same(runs[2], ["final"], "it waits for none of them");
		for (const { recognition } of speakers) recognition.cancel();
	},
);
