/**
 * How long a client waits for the text of a clip of about 5 s over HTTP, one request at a time: from the first byte sent to the last byte read.
 * Usage: scripts/bench latency [--requests N] [--record]
 */
import { parseArgs } from "node:util";
import { langTypes, readClips } from "./clips.js";
import { judged, report } from "./report.js";
import { expectWords, withServer } from "./server.js";
import { median, percentile } from "./statistics.js";
import { readWav } from "./wav.js";

const { values } = parseArgs({
	options: {
		requests: { type: "string", default: "60" },
		record: { type: "boolean", default: false },
	},
});
const warmUpRequests = 5;
const secondsMax = 0.3;

const clips = (readClips() ?? []).filter(
	({ seconds }) => seconds >= 4.7 && seconds <= 5.6,
);
if (clips.length === 0) process.exit(1);
const bodies = clips.map((clip) => ({ ...clip, pcm: readWav(clip.path) }));

const taken = await withServer({}, async (server) => {
	const seconds: number[] = [];
	for (let done = -warmUpRequests; done < Number(values.requests); done++) {
		const body = bodies[(done + warmUpRequests) % bodies.length];
		if (body === undefined) throw new Error("no clip");
		const answer = expectWords(
			await server.recognize(body.pcm, langTypes[body.language]),
		);
		if (done >= 0) seconds.push(answer.seconds);
		if (done >= 0 && done < bodies.length)
			console.log(
				`${body.name} ${body.seconds} s: ${(answer.seconds * 1000).toFixed(0)} ms ${answer.text}`,
			);
	}
	return seconds;
});

const half = median(taken);
const p95 = percentile(taken, 0.95);
report(
	[
		{
			what: `latency: ${bodies.length} clips of 5 s over HTTP, median / p95`,
			earshot: `${(half * 1000).toFixed(0)} / ${(p95 * 1000).toFixed(0)} ms`,
			goal: judged(`median < ${secondsMax * 1000} ms`, half < secondsMax),
		},
	],
	values.record,
);
