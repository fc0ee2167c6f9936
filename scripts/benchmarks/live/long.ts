/**
 * A transcription that never ends: whether memory stays where it is, in both processes. Fed as fast as it takes the speech, so that hours pass in minutes.
 */

import { residentMegabytes } from "../process-usage.js";
import { judged, type Measurement } from "../report.js";
import type { Server } from "../server.js";
import { sampleRateHz } from "../wav.js";
import { dictate } from "./earshot-stream.js";
import type { Speech } from "./speech.js";

const growthMax = 1.1;

export async function measureLong(
	server: Server,
	speeches: readonly Speech[],
	minutes: number,
): Promise<readonly Measurement[]> {
	const english = speeches.filter(({ language }) => language === "en");
	const samplesMax = minutes * 60 * sampleRateHz;
	const seen: { main: number; engine: number }[] = [];
	const readMemory = () =>
		seen.push({
			main: residentMegabytes(server.pid),
			engine: residentMegabytes(server.enginePid()),
		});

	function* endlessly(): Generator<Int16Array> {
		let samples = 0;
		let tenths = 0;
		while (samples < samplesMax)
			for (const speech of english) {
				yield speech.samples;
				yield new Int16Array(sampleRateHz); // a breath
				samples += speech.samples.length + sampleRateHz;
				if ((10 * samples) / samplesMax < tenths + 1) continue;
				tenths++;
				readMemory();
			}
	}

	const startedMs = performance.now();
	const sentences = await dictate(server.endpoint, endlessly(), "en");
	const took = (performance.now() - startedMs) / 1000;
	const early = seen[0] ?? { main: Number.NaN, engine: Number.NaN };
	const late = seen.at(-1) ?? early;
	console.log(
		`${sentences.length} sentences in ${took.toFixed(0)} s; main, engine MB: ${seen.map(({ main, engine }) => `${main.toFixed(0)}, ${engine.toFixed(0)}`).join("; ")}`,
	);
	return [
		{
			what: `live: one transcription of ${minutes} min, memory after a tenth / at its end, API's process and engine`,
			earshot: `${early.main.toFixed(0)} / ${late.main.toFixed(0)} MB, ${early.engine.toFixed(0)} / ${late.engine.toFixed(0)} MB`,
			goal: judged(
				`<= ${growthMax} x`,
				late.main <= growthMax * early.main &&
					late.engine <= growthMax * early.engine,
			),
		},
	];
}
