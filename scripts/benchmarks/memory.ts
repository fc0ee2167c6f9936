/**
 * Whether the engine's memory stays where it is: its resident size after 50 requests and after 500, clips of all three languages in turn.
 * Usage: scripts/bench memory [--requests N] [--record]
 */
import { parseArgs } from "node:util";
import { isMedium, langTypes, readClips } from "./clips.js";
import { judged, report } from "./report.js";
import { expectWords, residentMegabytes, withServer } from "./server.js";
import { readWav } from "./wav.js";

const { values } = parseArgs({
	options: {
		requests: { type: "string", default: "500" },
		record: { type: "boolean", default: false },
	},
});
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
	if (server.enginePid() !== engine) throw new Error("the engine was replaced");
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
