/**
 * Whether the main process stays responsive while its engine has more to do than it can: its own event-loop lag as /metrics reports it, and, from
 * the outside, how long the cheapest request of all waits for its answer.
 * Usage: scripts/bench lag [--seconds N] [--streams N] [--record]
 */
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { timeCheapestAnswers } from "./cheapest-answers.js";
import { isMedium, langTypes, readClips } from "./clips.js";
import { judged, report } from "./report.js";
import { loopLagSeconds, type Server, withServer } from "./server.js";
import { percentile } from "./statistics.js";
import { readWav } from "./wav.js";

const { values } = parseArgs({
	options: {
		seconds: { type: "string", default: "30" },
		streams: { type: "string", default: "12" },
		record: { type: "boolean", default: false },
	},
});
const lagSecondsMax = 0.02;

const clips = (readClips() ?? []).filter(isMedium);
if (clips.length === 0) process.exit(1);
const bodies = clips.map(({ path, language }) => ({
	pcm: readWav(path),
	langType: langTypes[language],
}));

const seen = await withServer({}, async (server) => {
	const until = performance.now() + Number(values.seconds) * 1000;
	await loopLagSeconds(server); // what happened while starting is not asked for
	const clients = Array.from({ length: Number(values.streams) }, (_, index) =>
		keepAsking(server, index, until),
	);
	const probes = timeCheapestAnswers(server, until);
	await pause(until - performance.now());
	const loop = await loopLagSeconds(server);
	const counts = await Promise.all(clients);
	return { loop, counts: counts.flat(), probes: await probes };
});

const p99 = percentile(seen.probes, 0.99);
const answered = seen.counts.filter((http) => http === 200).length;
console.log(
	`${answered} answers and ${seen.counts.length - answered} refusals; event-loop lag p99 ${format(seen.loop)}; GET of an unknown path: p50 ${format(percentile(seen.probes, 0.5))}, p99 ${format(p99)} over ${seen.probes.length}`,
);
report(
	[
		{
			what: `lag: main process while ${values.streams} clients saturate the engine, event-loop p99 / cheapest answer p99`,
			earshot: `${format(seen.loop)} / ${format(p99)}`,
			goal: judged(
				`event-loop p99 < ${lagSecondsMax * 1000} ms`,
				seen.loop < lagSecondsMax,
			),
		},
	],
	values.record,
);

/** @returns the HTTP status of each request. */
async function keepAsking(
	server: Server,
	client: number,
	until: number,
): Promise<number[]> {
	const statuses: number[] = [];
	for (let turn = client; performance.now() < until; turn += 7) {
		const body = bodies[turn % bodies.length];
		if (body === undefined) throw new Error("no clip");
		const { http } = await server.recognize(body.pcm, body.langType);
		statuses.push(http);
		if (http !== 200) await pause(50);
	}
	return statuses;
}

function format(seconds: number): string {
	return `${(seconds * 1000).toFixed(1)} ms`;
}
