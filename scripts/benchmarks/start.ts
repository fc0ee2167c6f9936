/**
 * How long a device is deaf after a restart: from starting the server to the first answer with words, asked for again and again from the first
 * moment on. The first start makes the state; the following ones are what counts.
 * Usage: scripts/bench start [--starts N] [--record]
 */
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { langTypes, readClips } from "./clips.js";
import { judged, report } from "./report.js";
import { Server, ServerState } from "./server.js";
import { median } from "./statistics.js";
import { readWav } from "./wav.js";

const { values } = parseArgs({
	options: {
		starts: { type: "string", default: "6" },
		record: { type: "boolean", default: false },
	},
});
const secondsMax = 3;
const deafSecondsMax = 120;

const clip = (readClips() ?? []).find(
	({ language, seconds }) => language === "en" && seconds >= 2 && seconds <= 3,
);
if (clip === undefined) process.exit(1);
const pcm = readWav(clip.path);

const state = new ServerState();
const taken: number[] = [];
try {
	for (let start = 0; start < Number(values.starts); start++) {
		const seconds = await secondsUntilWords();
		console.log(`start ${start + 1}: ${seconds.toFixed(2)} s`);
		if (start > 0) taken.push(seconds);
	}
} finally {
	state.remove();
}
const half = median(taken);
report(
	[
		{
			what: "start: to the first answer with words, from the second start on, median / longest",
			earshot: `${half.toFixed(2)} / ${Math.max(...taken).toFixed(2)} s`,
			goal: judged(`< ${secondsMax} s`, Math.max(...taken) < secondsMax),
		},
	],
	values.record,
);

async function secondsUntilWords(): Promise<number> {
	await state.token(); // made before the clock starts
	const started = performance.now();
	const server = await Server.spawn(state);
	try {
		for (;;) {
			const answer = await server
				.recognize(pcm, langTypes.en)
				.catch(() => undefined); // not listening yet
			const seconds = (performance.now() - started) / 1000;
			if (answer?.http === 200 && answer.text !== "") return seconds;
			if (seconds > deafSecondsMax) throw new Error("no answer");
			await pause(10);
		}
	} finally {
		await server.stop();
	}
}
