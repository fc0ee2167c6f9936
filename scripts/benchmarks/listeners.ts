/**
 * Wyoming and Vosk: what connections cost that say nothing, and who finds the end of a command (docs/benchmarks/turn-ends.md).
 * Usage: scripts/bench listeners [--only idle,ends,delays] [--connections 200] [--commands 12] [--record]
 * ends: how often a pause inside a sentence ends the command, on the clips and on pairs of them with a pause between. delays: from the end of the speech to the
 * transcript on an appliance, once ended by the client, once by the appliance.
 */
import { parseArgs } from "node:util";
import { readClips } from "./clips.js";
import { measureDelays } from "./listeners/delays.js";
import { measureIdle } from "./listeners/idle.js";
import { measureEnds } from "./listeners/turn-ends.js";
import { type Measurement, report } from "./report.js";

const { values } = parseArgs({
	options: {
		only: { type: "string", default: "idle,ends,delays" },
		connections: { type: "string", default: "200" },
		commands: { type: "string", default: "12" },
		record: { type: "boolean", default: false },
	},
});
const parts = values.only.split(",");
const measurements: Measurement[] = [];
if (parts.includes("idle"))
	measurements.push(...(await measureIdle(Number(values.connections))));
const clips = parts.includes("idle") && parts.length === 1 ? [] : readClips();
if (parts.includes("ends") && clips)
	measurements.push(...(await measureEnds(clips)));
if (parts.includes("delays") && clips)
	measurements.push(...(await measureDelays(clips, Number(values.commands))));
report(measurements, values.record);
