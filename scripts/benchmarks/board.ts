/**
 * One table about this device, to be pasted into an issue: how much faster than real time it recognizes speech, which kernels it has, memory, temperature and throttling. Uses the clip
 * of the included model only, and takes two to five minutes on a Raspberry Pi.
 * Usage: scripts/bench board [--model DIR] [--threads N]
 */
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { parseArgs } from "node:util";
import { kernelsOf } from "../../drivers/onnx/capi/library.js";
import { openOnnx } from "../../drivers/onnx/session.js";
import { loadRecognizer } from "../../runtime/engine/child/models.js";
import { median } from "./statistics.js";
import { readWav, sampleRateHz } from "./wav.js";

const { values } = parseArgs({
	options: {
		model: { type: "string", default: "models/whisper-base" },
		threads: { type: "string", default: "0" },
	},
});
const threads = Number(values.threads) || Math.min(availableParallelism(), 4);
const secondsMax = 60;
const longSeconds = 25;
/** As an appliance has them: partials with a beam of 2 after every 240 ms at most, the final with 5. */
const partials = { seconds: 0.24, beam: 2 };
const finalBeam = 5;
const fullScale = 32768;

const recognizer = await loadRecognizer(openOnnx(), {
	modelFolder: values.model,
	threads,
	processor: "cpu",
	verify: false,
});
const clip = Float32Array.from(
	readWav("models/whisper-base/probe.wav"),
	(it) => it / fullScale,
);
const before = degrees();
await decode(clip, finalBeam); // the first one reads the weights
const short = await measured(clip, () => decode(clip, finalBeam));
const joined = repeated(clip, Math.floor(longSeconds / secondsOf(clip)));
const long = await measured(joined, () => decode(joined, finalBeam));
const live = await measured(clip, () => speakLive(clip));
const rss = Math.round(process.memoryUsage.rss() / 1e6);
await recognizer.close();

const kernels = kernelsOf("auto").map(
	({ name, instructions }) => `${name} ${instructions ?? "-"}`,
);
const rows = {
	device: boardName(),
	processor: `${cpus().length} x ${processorName()}, ${threads} threads`,
	model: values.model.split("/").at(-1),
	kernels: kernels.join(", "),
	[`real-time factor, ${secondsOf(clip).toFixed(1)} s`]: short.toFixed(3),
	[`real-time factor, ${secondsOf(joined).toFixed(1)} s`]: long.toFixed(3),
	"real-time factor, live (every partial and the final)": live.toFixed(3),
	"memory of the process": `${rss} MB`,
	"temperature before / after": `${before} / ${degrees()}`,
	throttling: throttling(),
};
console.log("| what | value |\n| --- | --- |");
for (const [what, value] of Object.entries(rows))
	console.log(`| ${what} | ${value} |`);

async function decode(samples: Float32Array, beam: number): Promise<void> {
	await recognizer.recognize({
		samples,
		language: "en-US",
		beam,
		punctuation: true,
		words: false,
	});
}

/** All that a speaker costs: not paced, so a factor above 1 means that partials come less often. */
async function speakLive(samples: Float32Array): Promise<void> {
	const step = Math.round(partials.seconds * sampleRateHz);
	for (let end = step; end < samples.length; end += step)
		await decode(samples.subarray(0, end), partials.beam);
	await decode(samples, finalBeam);
}

/** @returns the median of up to five runs, within a minute, by the audio's duration */
async function measured(
	samples: Float32Array,
	work: () => Promise<void>,
): Promise<number> {
	const taken: number[] = [];
	const from = performance.now();
	while (
		taken.length < 5 &&
		(taken.length === 0 || performance.now() - from < 1000 * secondsMax)
	) {
		const since = performance.now();
		await work();
		taken.push((performance.now() - since) / 1000);
	}
	return median(taken) / secondsOf(samples);
}

function repeated(samples: Float32Array, times: number): Float32Array {
	const all = new Float32Array(samples.length * times);
	for (let i = 0; i < times; i++) all.set(samples, i * samples.length);
	return all;
}

function secondsOf(samples: Float32Array): number {
	return samples.length / sampleRateHz;
}

/** @returns "" where there is no such file */
function textOf(path: string): string {
	try {
		return readFileSync(path, "utf8").replaceAll("\0", "").trim();
	} catch {
		return "";
	}
}

function boardName(): string {
	return (
		textOf("/proc/device-tree/model") ||
		textOf("/sys/class/dmi/id/product_name") ||
		"unknown"
	);
}

function processorName(): string {
	const parts = [
		...new Set(textOf("/proc/cpuinfo").match(/^CPU part\s*: .*/gm)),
	];
	return (
		cpus()[0]?.model.trim() ||
		parts.map((it) => it.split(": ")[1]).join(" and ") ||
		"unknown"
	);
}

/** Of the hottest place. */
function degrees(): string {
	const folder = "/sys/class/thermal";
	let names: string[] = [];
	try {
		names = readdirSync(folder).filter((it) => it.startsWith("thermal_zone"));
	} catch {
		// a virtual machine has none
	}
	const all = names
		.map((it) => Number(textOf(`${folder}/${it}/temp`)) / 1000)
		.filter((it) => it > 0);
	return all.length > 0 ? `${Math.max(...all).toFixed(0)} °C` : "unknown";
}

/** A Raspberry Pi says it as bits; elsewhere the processors' frequency against their highest. */
function throttling(): string {
	const bits = textOf("/sys/devices/platform/soc/soc:firmware/get_throttled");
	if (bits) return bits === "0" ? "none" : `0x${bits}`;
	const folder = "/sys/devices/system/cpu/cpu0/cpufreq";
	const now = Number(textOf(`${folder}/scaling_cur_freq`));
	const most = Number(textOf(`${folder}/cpuinfo_max_freq`));
	if (!now || !most) return "unknown";
	return `${Math.round(now / 1000)} of ${Math.round(most / 1000)} MHz after the last run`;
}
