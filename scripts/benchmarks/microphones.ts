/**
 * A microphone of the device: how long after the end of speech its text is sent, what it costs while nobody speaks, and whether a day of it loses anything or
 * grows. A real engine and a real capture process, on a card that ALSA's `file` plugin plays.
 * Usage: scripts/bench microphones [--only talk,day] [--clips N] [--idle SECONDS] [--hours N] [--record]
 */
import { parseArgs } from "node:util";
import { readClips } from "./clips.js";
import { measureDay } from "./microphones/day.js";
import { measureTalk } from "./microphones/talk.js";
import { type Measurement, report } from "./report.js";

const { values } = parseArgs({
	options: {
		only: { type: "string", default: "talk,day" },
		clips: { type: "string", default: "8" },
		idle: { type: "string", default: "30" },
		hours: { type: "string", default: "24" },
		record: { type: "boolean", default: false },
	},
});
const parts = values.only.split(",");
const clips = (readClips() ?? [])
	.filter(
		({ language, seconds }) => language === "en" && seconds > 3 && seconds < 9,
	)
	.slice(0, Number(values.clips));
if (clips.length === 0) process.exit(1);

const measurements: Measurement[] = [];
if (parts.includes("talk"))
	measurements.push(...(await measureTalk(clips, Number(values.idle))));
if (parts.includes("day"))
	measurements.push(...(await measureDay(clips, Number(values.hours))));
report(measurements, values.record);
