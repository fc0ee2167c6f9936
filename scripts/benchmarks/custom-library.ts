/**
 * What it costs to reach ONNX Runtime through the interface for vendors' libraries instead of through its npm package, and what our kernels bring
 * (drivers/onnx/capi/kernels/kernels.h): the same library in one process hears every clip of 3 to 10 s, one way after the other, the order changing
 * with each round. The texts of the first two ways must be the same; our kernels round otherwise.
 * Usage: scripts/bench custom-library [--library PATH] [--model DIR] [--rounds N] [--threads N] [--record]
 */
import { arch } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { kernelNames } from "../../drivers/onnx/capi/library.js";
import { isMedium, readClips } from "./clips.js";
import {
	hear,
	openListener,
	openListenerOfPackage,
} from "./processors/hearing.js";
import { judged, report } from "./report.js";
import { median, sum } from "./statistics.js";

const { values } = parseArgs({
	options: {
		library: {
			type: "string",
			default: `node_modules/onnxruntime-node/bin/napi-v6/linux/${arch()}/libonnxruntime.so.1`,
		},
		model: { type: "string", default: "models/whisper-base" },
		rounds: { type: "string", default: "4" },
		threads: { type: "string", default: "2" },
		record: { type: "boolean", default: false },
	},
});
const overheadMax = 0.03;
const threads = Number(values.threads);
const rounds = Number(values.rounds);
const clips = (readClips() ?? []).filter(isMedium);
if (clips.length === 0) process.exit(1);

const ways = [
	await openListenerOfPackage("npm package", values.model, threads),
	await openListener(
		"interface",
		values.model,
		`custom:${resolve(values.library)}`,
		threads,
	),
	await openListener("our kernels", values.model, "cpu", threads),
];
for (const clip of clips.slice(0, 3))
	for (const way of ways) await hear(way, clip);

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
			const { text, milliseconds } = await hear(way, clip);
			taken[which]?.[i]?.push(milliseconds);
			texts[which] = text;
		}
		if (texts[1] !== texts[0]) differing++;
		if (texts[2] !== texts[0]) ofKernels++;
	}
const [npm = Number.NaN, custom = Number.NaN, own = Number.NaN] = taken.map(
	(perClip) => sum(perClip.map(median)),
);
const seconds = sum(clips.map((clip) => clip.seconds));
const overhead = custom / npm - 1;
const speed = (milliseconds: number) =>
	((1000 * seconds) / milliseconds).toFixed(1);
report(
	[
		{
			what: `custom library: the same ONNX Runtime through the interface / through its npm package, ${clips.length} clips of 3 to 10 s, ${threads} threads, ${rounds} rounds in turn`,
			earshot: `${speed(custom)} / ${speed(npm)} audio s/s, ${(100 * overhead).toFixed(1)} % more time; ${differing} of ${clips.length * rounds} texts differ`,
			goal: judged(
				`<= ${100 * overheadMax} % more, no text differs`,
				overhead <= overheadMax && differing === 0,
			),
		},
		{
			what: `our kernels (${kernelNames().join(", ")}) / the library's, ${clips.length} clips of 3 to 10 s, ${threads} threads, ${rounds} rounds in turn`,
			earshot: `${speed(own)} / ${speed(custom)} audio s/s: ${(custom / own).toFixed(2)} x; ${ofKernels} of ${clips.length * rounds} texts differ`,
			goal: "-",
		},
	],
	values.record,
);
for (const { recognizer } of ways) await recognizer.close();
