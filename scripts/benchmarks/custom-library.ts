/**
 * What it costs to reach ONNX Runtime through the interface for vendors' libraries instead of through its npm package, and what our kernels bring
 * (drivers/onnx/capi/kernels/kernels.h): the same library in one process recognizes every clip of 3 to 10 s, one way after the other, the order changing
 * with each round. The texts of the first two ways must be the same; our kernels round otherwise.
 * --processor-time (with --threads 1): of the process, for a machine that others use as well.
 * With --level both are limited to older instructions: our kernels to those of that level, ONNX Runtime by what it is told of the processor (processors/limited-cpuid.c).
 * Usage: scripts/bench custom-library [--level avx2|avx-vnni|avx512|...] [--library PATH] [--model DIR] [--rounds N] [--clips N] [--threads N] [--processor-time] [--record]
 */
import { arch } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { kernelsOf } from "../../drivers/onnx/capi/library.js";
import type { KernelLevel } from "../../runtime/models/inference-port.js";
import { isMedium, readClips } from "./clips.js";
import { limitProcessor } from "./processors/limited-cpuid.js";
import {
	openRecognizer,
	openRecognizerOfPackage,
	recognizeClip,
} from "./processors/timed-recognition.js";
import { judged, report } from "./report.js";
import { median, sum } from "./statistics.js";

const { values } = parseArgs({
	options: {
		library: {
			type: "string",
			default: `node_modules/onnxruntime-node/bin/napi-v6/linux/${arch()}/libonnxruntime.so.1`,
		},
		model: { type: "string", default: "models/whisper-base" },
		level: { type: "string", default: "auto" },
		rounds: { type: "string", default: "4" },
		"processor-time": { type: "boolean", default: false },
		clips: { type: "string", default: "1000" },
		threads: { type: "string", default: "2" },
		record: { type: "boolean", default: false },
	},
});
const overheadMax = 0.03;
const threads = Number(values.threads);
const rounds = Number(values.rounds);
const level = values.level as KernelLevel;
const isLimited = limitProcessor(level);
if (level !== "auto" && !isLimited)
	console.error("ONNX Runtime can't be limited here: it uses all instructions");
const clips = (readClips() ?? [])
	.filter(isMedium)
	.slice(0, Number(values.clips));
if (clips.length === 0) process.exit(1);

const ways = [
	await openRecognizerOfPackage("npm package", values.model, threads),
	await openRecognizer(
		"interface",
		values.model,
		`custom:${resolve(values.library)}`,
		threads,
	),
	await openRecognizer("our kernels", values.model, "cpu", threads, {
		kernels: level,
	}),
];
for (const clip of clips.slice(0, 3))
	for (const way of ways) await recognizeClip(way, clip);

/** way -> clip -> milliseconds of each round */
const taken = ways.map(() => clips.map((): number[] => []));
let differing = 0;
let ofKernels = 0;
for (let round = 0; round < rounds; round++)
	for (const [i, clip] of clips.entries()) {
		const texts: string[] = [];
		for (const which of (round + i) % 2 === 0 ? [0, 1, 2] : [2, 1, 0]) {
			const way = ways[which];
			if (!way) continue;
			const { text, milliseconds, processorMs } = await recognizeClip(
				way,
				clip,
			);
			taken[which]?.[i]?.push(
				values["processor-time"] ? processorMs : milliseconds,
			);
			texts[which] = text;
		}
		if (texts[1] !== texts[0]) differing++;
		if (texts[2] !== texts[0]) ofKernels++;
	}
const ours = `our kernels (${kernelsOf(level)
	.map(({ name, instructions }) => `${name} ${instructions ?? "none"}`)
	.join(", ")})`;
const [npm = Number.NaN, custom = Number.NaN, own = Number.NaN] = taken.map(
	(perClip) => sum(perClip.map(median)),
);
const seconds = sum(clips.map((clip) => clip.seconds));
const overhead = custom / npm - 1;
const of = values["processor-time"] ? ", processor time" : "";
const speed = (milliseconds: number) =>
	((1000 * seconds) / milliseconds).toFixed(1);
report(
	[
		{
			what: `custom library: the same ONNX Runtime through the interface / through its npm package, ${clips.length} clips of 3 to 10 s, ${threads} threads, ${rounds} rounds in turn${of}`,
			earshot: `${speed(custom)} / ${speed(npm)} audio s/s, ${(100 * overhead).toFixed(1)} % more time; ${differing} of ${clips.length * rounds} texts differ`,
			goal: judged(
				`<= ${100 * overheadMax} % more, no text differs`,
				overhead <= overheadMax && differing === 0,
			),
		},
		{
			what: `${ours} / ${isLimited ? `the library's on a processor that says it has ${level}` : "the library's"}, ${clips.length} clips of 3 to 10 s, ${threads} threads, ${rounds} rounds in turn${of}`,
			earshot: `${speed(own)} / ${speed(custom)} audio s/s: ${(custom / own).toFixed(2)} x; ${ofKernels} of ${clips.length * rounds} texts differ`,
			goal: "-",
		},
	],
	values.record,
);
for (const { recognizer } of ways) await recognizer.close();
