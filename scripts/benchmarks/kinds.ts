/**
 * Every kind of model but Whisper beside sherpa-onnx-node on the same files: how long a clip takes, and the memory of the process. The weights are random, in the
 * published layout and as large as real ones (kinds/models.ts), so both sides compute the same texts, which mean nothing; those of `zipformer` are real. The two
 * take turns, clip by clip.
 * Usage: scripts/bench kinds [--only NAME,...] [--clips N] [--rounds N] [--threads N] [--record]    names: how they begin
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { type Clip, isMedium, readClips } from "./clips.js";
import { type MeasuredKind, measuredKinds } from "./kinds/models.js";
import type { KindAnswer } from "./kinds/worker.js";
import { judged, report } from "./report.js";
import { median } from "./statistics.js";

const { values } = parseArgs({
	options: {
		only: { type: "string", default: "" },
		clips: { type: "string", default: "12" },
		rounds: { type: "string", default: "3" },
		threads: { type: "string", default: "2" },
		record: { type: "boolean", default: false },
	},
});
/** Beyond sherpa-onnx's. */
const extraMegabytesMax = 60;
const worker = resolve("build/scripts/benchmarks/kinds/worker.js");

class Side {
	readonly seconds: number[][] = [];
	readonly texts = new Map<string, string>();
	megabytes = 0;
	readonly #child: ChildProcess;
	readonly #lines: AsyncIterator<string>;

	constructor(
		readonly name: "earshot" | "sherpa-onnx-node",
		kind: MeasuredKind,
		folder: string,
	) {
		const args = [worker, name, kind.name, folder, values.threads];
		const stdio = ["pipe", "pipe", "inherit"] as const;
		this.#child = spawn(process.execPath, args, { stdio: [...stdio] });
		const input = this.#child.stdout as NodeJS.ReadableStream;
		this.#lines = createInterface({ input })[Symbol.asyncIterator]();
	}

	/** Its threads go on spinning after a clip: it is stopped while the other has its turn. */
	async ready(): Promise<void> {
		await this.#next();
		this.#child.kill("SIGSTOP");
	}

	async recognize({ path, name, language }: Clip, i: number): Promise<void> {
		this.#child.kill("SIGCONT");
		this.#child.stdin?.write(`${JSON.stringify({ path, language })}\n`);
		const { seconds, text, rss } = JSON.parse(await this.#next()) as KindAnswer;
		this.#child.kill("SIGSTOP");
		this.seconds[i] = [...(this.seconds[i] ?? []), seconds];
		this.texts.set(name, text);
		this.megabytes = rss / 1e6;
	}

	async close(): Promise<void> {
		this.#child.kill("SIGCONT");
		this.#child.stdin?.end();
		if (this.#child.exitCode === null) await once(this.#child, "exit");
	}

	async #next(): Promise<string> {
		const { value, done } = await this.#lines.next();
		if (done === true) throw new Error(`${this.name} ended early`);
		return value;
	}
}

/** Letters and characters: marks and case are written by rules. */
const plain = (text: string) =>
	text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

async function measure(kind: MeasuredKind, clips: readonly Clip[]) {
	const folder = mkdtempSync(join(tmpdir(), "earshot-bench-kinds-"));
	try {
		kind.write(folder);
		const sides = [
			new Side("earshot", kind, folder),
			new Side("sherpa-onnx-node", kind, folder),
		] as const;
		for (const side of sides) await side.ready();
		for (let round = 0; round < Number(values.rounds); round++)
			for (const [i, clip] of clips.entries()) {
				const [one, other] = (round + i) % 2 === 0 ? sides : sides.toReversed();
				await one?.recognize(clip, i);
				await other?.recognize(clip, i);
			}
		const [own, peer] = sides;
		for (const side of sides) await side.close();
		const ratios = clips.map(
			(_, i) => median(peer.seconds[i] ?? []) / median(own.seconds[i] ?? []),
		);
		const same = clips.filter(
			({ name }) =>
				plain(own.texts.get(name) ?? "") === plain(peer.texts.get(name) ?? ""),
		).length;
		const ratio = median(ratios);
		const extra = own.megabytes - peer.megabytes;
		const met = ratio >= 1 && extra <= extraMegabytesMax;
		const perSecond = (side: Side) =>
			(
				clips.reduce((all, it) => all + it.seconds, 0) /
				side.seconds.reduce((all, it) => all + median(it), 0)
			).toFixed(1);
		return {
			what: `kinds: ${kind.name}, random weights: audio s/s, memory, ${clips.length} clips, ${values.threads} threads`,
			earshot: `${perSecond(own)}, ${own.megabytes.toFixed(0)} MB; the same text in ${same}`,
			sherpa: `${perSecond(peer)}, ${peer.megabytes.toFixed(0)} MB; earshot ${ratio.toFixed(2)} x`,
			goal: judged(`>= 1 x, <= ${extraMegabytesMax} MB more`, met),
		};
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

const clips = (readClips() ?? [])
	.filter(isMedium)
	.slice(0, Number(values.clips));
if (clips.length === 0) process.exit(1);
const wanted = values.only.split(",");
const measurements = [];
for (const kind of measuredKinds)
	if (wanted.some((it) => kind.name.startsWith(it)))
		measurements.push(await measure(kind, clips));
report(measurements, values.record);
