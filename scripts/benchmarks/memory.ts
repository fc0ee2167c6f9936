/**
 * Whether the engine's memory stays where it is: its resident size after 50 requests and after 500, clips of all three languages in turn; and what is left of a
 * mixed day after a minute of quiet (memory/mixed-day.ts).
 * Usage: scripts/bench memory [--only requests|day] [--requests N] [--record]
 */
import { parseArgs } from "node:util";
import { isMedium, langTypes, readClips } from "./clips.js";
import { mixedDay } from "./memory/mixed-day.js";
import { residentMegabytes } from "./process-usage.js";
import { judged, report } from "./report.js";
import { expectWords, withServer } from "./server.js";
import { readWav } from "./wav.js";

const { values } = parseArgs({
	options: {
		requests: { type: "string", default: "500" },
		only: { type: "string" },
		record: { type: "boolean", default: false },
	},
});
const { only } = values;
const requests = Number(values.requests);
const earlyRequests = Math.ceil(requests / 10);
const growthMax = 1.1;
const megabytesMax = 450;

const clips = (readClips() ?? []).filter(isMedium);
if (clips.length === 0) process.exit(1);
const bodies = clips.map(({ path, language }) => ({
	pcm: readWav(path),
	langType: langTypes[language],
}));

if (only !== "day") await measureRequests();
if (only !== "requests") await measureDay();

async function measureRequests(): Promise<void> {
	/** After so many requests, MB. */
	const sizes = await withServer({}, async (server) => {
		const engine = server.enginePid();
		const seen = new Map([[0, residentMegabytes(engine)]]);
		for (let done = 1; done <= requests; done++) {
			// a stride that visits the languages in turn, not one after the other
			const body = bodies[(done * 17) % bodies.length];
			if (body === undefined) throw new Error("no clip");
			expectWords(await server.recognize(body.pcm, body.langType));
			if (done % earlyRequests === 0) seen.set(done, residentMegabytes(engine));
		}
		if (server.enginePid() !== engine)
			throw new Error("the engine was replaced");
		return seen;
	});

	for (const [done, megabytes] of sizes)
		console.log(`after ${done} requests: ${megabytes.toFixed(1)} MB`);
	const early = sizes.get(earlyRequests) ?? Number.NaN;
	const late = sizes.get(requests) ?? Number.NaN;
	report(
		[
			{
				what: `memory: engine RSS after ${earlyRequests} / ${requests} requests`,
				earshot: `${early.toFixed(0)} / ${late.toFixed(0)} MB (${(late / early).toFixed(3)} x)`,
				goal: judged(
					`<= ${growthMax} x and < ${megabytesMax} MB`,
					late <= growthMax * early && late < megabytesMax,
				),
			},
		],
		values.record,
	);
}

async function measureDay(): Promise<void> {
	const { megabytes, quiet, seconds } = await withServer({}, (server) =>
		mixedDay(server, clips),
	);
	for (const [part, size] of megabytes)
		console.log(`after ${part}: ${size.toFixed(1)} MB`);
	const [before, after] = seconds;
	console.log(
		`after a minute of quiet: ${quiet.toFixed(1)} MB; a clip took ${(1000 * before).toFixed(0)} ms before, the first one after it ${(1000 * after).toFixed(0)} ms`,
	);
	const most = Math.max(...megabytes.values());
	report(
		[
			{
				what: "memory: engine RSS in a mixed day at most / after a minute of quiet",
				earshot: `${most.toFixed(0)} / ${quiet.toFixed(0)} MB`,
				goal: judged(`<= ${megabytesMax} MB`, quiet <= megabytesMax),
			},
		],
		values.record,
	);
}
