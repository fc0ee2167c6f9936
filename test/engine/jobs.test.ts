import { writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import type { FileEvent } from "../../runtime/engine/file-job.js";
import {
	EngineLost,
	type JobRequest,
	type RunningJob,
} from "../../runtime/engine/remote-job.js";
import type { Script } from "../fixtures/fake-jobs.js";
import { fakeLane, options, rejectsWith } from "./fake-lane.js";

function recognitionJob(
	t: Test,
	script: Script,
	changes: Partial<Extract<JobRequest, { is: "hear" }>> = {},
): JobRequest {
	const path = join(t.testdir(), "speech");
	writeFileSync(path, JSON.stringify(script));
	return {
		is: "hear",
		source: {
			path,
			format: "wav",
			sampleRateHz: 16000,
			channels: 1,
			gain: 1,
			durationSecondsMax: 3600,
		},
		options,
		resume: [{ sample: 0, index: 1 }],
		skip: [],
		oneByOne: false,
		...changes,
	};
}

async function read(job: RunningJob): Promise<FileEvent[]> {
	const events: FileEvent[] = [];
	for await (const event of job.events) events.push(event);
	return events;
}

function textsOf(events: readonly FileEvent[]): string[] {
	return events.flatMap((it) =>
		it.is === "heard"
			? it.utterances.map(({ text }) => text.replace(".", ""))
			: [],
	);
}

t.test("a job reports its utterances and the file's length", async (t) => {
	const { lane, supervisor } = fakeLane(t);
	const sentences = ["a", "b", "c", "d", "e"];
	const events = await read(
		await lane.openJob(recognitionJob(t, { sentences })),
	);
	t.same(textsOf(events), sentences);
	t.same(events.at(-1), { is: "done", audioMs: 5000 });
	const engine = await supervisor.engine();
	t.equal(engine.recognitions, 0, "the engine may go idle");
});

t.test("a job resumes where requested, and skips", async (t) => {
	const { lane } = fakeLane(t);
	const job = recognitionJob(
		t,
		{ sentences: ["a", "b", "die", "d"] },
		{
			resume: [{ sample: 16_000, index: 2 }],
			skip: [{ channel: 1, startSample: 32_000, endSample: 48_000 }],
		},
	);
	t.same(textsOf(await read(await lane.openJob(job))), ["b", "", "d"]);
});

t.test("a job's failure keeps its code and its reason", async (t) => {
	const { lane } = fakeLane(t);
	const job = recognitionJob(t, { sentences: ["fail 200005 too long"] });
	await rejectsWith(t, read(await lane.openJob(job)), {
		status: "200005",
		message: "too long",
	});
});

t.test("an engine that dies loses its job, which is reported", async (t) => {
	const { lane, supervisor } = fakeLane(t);
	const job = await lane.openJob(recognitionJob(t, { sentences: ["die"] }));
	const events: FileEvent[] = [];
	const reading = (async () => {
		for await (const event of job.events) events.push(event);
	})();
	await t.rejects(reading, EngineLost);
	t.match(events, [
		{
			is: "trying",
			stretches: [{ channel: 1, startSample: 0, endSample: 16_000 }],
		},
	]);
	t.equal(supervisor.state.deaths, 1);
	const next = await lane.openJob(recognitionJob(t, { sentences: ["a"] }));
	t.same(textsOf(await read(next)), ["a"]);
});

t.test(
	"a death before the job began is not attributed to the job",
	async (t) => {
		const { lane, supervisor } = fakeLane(t);
		const killing = async () => {
			const { pid } = await supervisor.engine();
			process.kill(pid as number, "SIGKILL"); // and is not noticed yet
		};
		await supervisor.engine();
		const own = await lane.openJob(recognitionJob(t, { sentences: ["hang"] }));
		await killing();
		await rejectsWith(t, read(own), { name: "EngineLost", begun: true });
		const other = await lane.openJob(
			recognitionJob(t, { sentences: ["hang"] }),
		);
		other.cancel();
		await killing();
		const next = await lane.openJob(recognitionJob(t, { sentences: ["a"] }));
		await rejectsWith(t, read(next), { name: "EngineLost", begun: false });
	},
);

t.test("an engine whose job sends nothing is killed", async (t) => {
	const { lane, supervisor } = fakeLane(t, { answerMsMax: 200 });
	const job = await lane.openJob(recognitionJob(t, { sentences: ["hang"] }));
	await rejectsWith(t, read(job), { name: "EngineLost", requested: false });
	t.match(supervisor.state.lastDeath, /no sign of life/);
});

t.test("a cancelled job sends nothing more and holds no engine", async (t) => {
	const { lane, supervisor } = fakeLane(t);
	const job = await lane.openJob(recognitionJob(t, { sentences: ["hang"] }));
	for await (const event of job.events) {
		t.equal(event.is, "trying");
		break;
	}
	job.cancel();
	const engine = await supervisor.engine();
	t.equal(engine.recognitions, 0);
	const other = await lane.openJob(recognitionJob(t, { sentences: ["a"] }));
	other.cancel();
	t.same(await read(other), []);
});

t.test("an engine that is stopped loses its job on purpose", async (t) => {
	const { lane, supervisor } = fakeLane(t);
	const job = await lane.openJob(recognitionJob(t, { sentences: ["hang"] }));
	const reading = read(job);
	await supervisor.stop(1000);
	await rejectsWith(t, reading, { name: "EngineLost", requested: true });
	await rejectsWith(t, lane.openJob(recognitionJob(t, { sentences: [] })), {
		status: "100004",
	});
});
