/**
 * Seconds of audio recognized in a second, one clip at a time, 2 threads each, beside the peers: for every clip each contender has its turn, then
 * the next clip, and all of it again. Loading is not counted and the first clips are for warming up. The ratios are what counts: both sides
 * saw the same machine in the same minute.
 * Usage: scripts/bench speed [--only NAME,NAME] [--rounds N] [--long] [--clips] [--record]
 * --long: clips of close to 30 s instead of 3 to 10 s.
 */
import { parseArgs } from "node:util";
import { type Clip, isMedium, readClips } from "./clips.js";
import {
	type Contender,
	type ContenderName,
	chooseContenders,
	startContenders,
} from "./contender.js";
import { joinClips } from "./joined-clips.js";
import { judged, type Measurement, report } from "./report.js";
import { median, percentile, sum } from "./statistics.js";

const { values } = parseArgs({
	options: {
		only: { type: "string" },
		rounds: { type: "string", default: "3" },
		long: { type: "boolean", default: false },
		clips: { type: "boolean", default: false },
		record: { type: "boolean", default: false },
	},
});
const threads = 2;
const warmUpClips = 3;
/** How many times a peer's throughput is wanted. */
const goals: Readonly<Partial<Record<ContenderName, number>>> = values.long
	? { "faster-whisper": 3 }
	: { "faster-whisper": 5, "sherpa-onnx-node": 2 };

const all = readClips();
if (all === undefined) process.exit(1);
const clips = values.long ? joinClips(all) : all.filter(isMedium);
const audioSeconds = sum(clips.map((clip) => clip.seconds));

const contenders = await startContenders(
	chooseContenders(values.only),
	threads,
);
/** contender -> per clip, the seconds of each round. */
const taken = new Map(
	contenders.map(({ name }) => [name, clips.map((): number[] => [])]),
);
for (const clip of clips.slice(0, warmUpClips))
	for (const contender of contenders) await secondsFor(contender, clip);
for (let round = 0; round < Number(values.rounds); round++)
	for (const [index, clip] of clips.entries())
		for (const contender of contenders)
			taken
				.get(contender.name)
				?.[index]?.push(await secondsFor(contender, clip));
for (const contender of contenders) await contender.close();

print();
report([measurement()], values.record);

async function secondsFor(contender: Contender, clip: Clip): Promise<number> {
	const { path, language } = clip;
	return (await contender.recognize({ path, language })).seconds;
}

/** Median seconds of each clip. */
function mediansOf(name: ContenderName): number[] {
	return (taken.get(name) ?? []).map((rounds) => median(rounds));
}

function throughput(name: ContenderName): number {
	return audioSeconds / sum(mediansOf(name));
}

/** earshot's advantage, clip by clip. */
function ratios(peer: ContenderName): number[] {
	const ours = mediansOf("earshot");
	return mediansOf(peer).map(
		(seconds, index) => seconds / (ours[index] ?? Number.NaN),
	);
}

function print(): void {
	if (values.clips)
		for (const [index, clip] of clips.entries())
			console.log(
				clip.name,
				clip.seconds.toFixed(2),
				...contenders.map(({ name }) =>
					(mediansOf(name)[index] ?? 0).toFixed(3),
				),
			);
	for (const { name, version } of contenders) {
		const medians = mediansOf(name);
		console.log(
			`${version}: ${throughput(name).toFixed(2)} audio s/s, RTF ${(1 / throughput(name)).toFixed(4)}, a clip ${median(medians).toFixed(3)} s (p95 ${percentile(medians, 0.95).toFixed(3)})`,
		);
	}
}

function measurement(): Measurement {
	const has = (name: ContenderName) => taken.has(name);
	const peerText = (name: ContenderName) =>
		!has(name)
			? "-"
			: has("earshot")
				? `${throughput(name).toFixed(1)}, earshot ${ratioOf(name).toFixed(2)} x (median clip ${median(ratios(name)).toFixed(2)} x)`
				: throughput(name).toFixed(1);
	const goal = Object.entries(goals).map(([name, wanted]) => {
		const peer = name as ContenderName;
		const text = `>= ${wanted} x ${peer}`;
		return has(peer) && has("earshot")
			? judged(text, ratioOf(peer) >= wanted)
			: text;
	});
	return {
		what: `speed: audio s/s, ${clips.length} clips of ${values.long ? "24-30" : "3-10"} s, ${threads} threads`,
		earshot: has("earshot") ? throughput("earshot").toFixed(1) : "-",
		fasterWhisper: peerText("faster-whisper"),
		sherpa: peerText("sherpa-onnx-node"),
		goal: goal.join("; "),
	};
}

function ratioOf(peer: ContenderName): number {
	return throughput("earshot") / throughput(peer);
}
