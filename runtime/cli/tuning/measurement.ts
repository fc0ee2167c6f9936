/**
 * Measures the speed of a model on this device: its own probe clip, recognized repeatedly as for a request, with different threads and beams. The model is
 * loaded again for each number of threads.
 */
import { availableParallelism } from "node:os";
import { levelsHere } from "../../../drivers/onnx/capi/levels.js";
import { kernelsOf } from "../../../drivers/onnx/session.js";
import type { Config } from "../../config/schema.js";
import type { EngineCore } from "../../engine/child/engine-core.js";
import { openCore } from "../../engine/child/open-core.js";
import { engineSettings } from "../../engine/from-config.js";
import { PackageError } from "../../models/package/model-package.js";
import { openScratchFolder } from "../scratch-folder.js";
import { beamWanted, rowChosen, threadsChosen } from "./choice.js";
import type { TuningResults, TuningRow } from "./tuning-results.js";

export interface MeasurementOptions {
	/** Fewer combinations, each measured twice. */
	readonly quick: boolean;
	/** Called before each measurement; rejects where measuring is not possible now. */
	readonly whenQuiet: () => Promise<void>;
	readonly onStep: (done: number, total: number) => void;
}

/** The beam of partials (engine/child/segment-decoder.ts). */
const partialBeam = 2;
const beams = [beamWanted, 3, 1];
const threadsMax = 16;
/** Minimum runs of each measurement, then until the time is used up or the maximum is reached. */
const runs = { least: 4, most: 12, seconds: 5 };
const quickRuns = { least: 2, most: 2, seconds: 0 };

/** @throws PackageError when the model can't be used. */
export async function measure(
	config: Config,
	options: MeasurementOptions,
): Promise<TuningResults> {
	const folder = openScratchFolder();
	try {
		return await new TuningMeasurement(config, folder.path, options).run();
	} finally {
		folder.remove();
	}
}

class TuningMeasurement {
	readonly #config: Config;
	readonly #spoolFolder: string;
	readonly #options: MeasurementOptions;
	readonly #rows: TuningRow[] = [];
	#clipSeconds = 0;
	#spread = 1;
	#steps = 0;

	constructor(
		config: Config,
		spoolFolder: string,
		options: MeasurementOptions,
	) {
		this.#config = config;
		this.#spoolFolder = spoolFolder;
		this.#options = options;
	}

	async run(): Promise<TuningResults> {
		const { processor } = this.#config.engine;
		const threads = threadsTried(this.#options.quick);
		const narrower = this.#options.quick ? [] : beams.slice(1);
		const total = threads.length + narrower.length + 1;
		const { kernels } = this.#config.engine;
		const step = () => this.#options.onStep(++this.#steps, total);
		let isElsewhere = false;
		for (const count of threads) {
			isElsewhere = await this.#with(processor, count, (core) =>
				this.#row(core, processor, count, beamWanted),
			);
			step();
		}
		// where another processor computes, threads matter little, and the CPU may be faster
		if (isElsewhere)
			for (const count of threads)
				await this.#with("cpu", count, (core) =>
					this.#row(core, "cpu", count, beamWanted),
				);
		const best = threadsChosen(this.#rows);
		let partialMs = 0;
		const used = best.processor as typeof processor;
		await this.#with(used, best.threads, async (core) => {
			for (const beam of narrower) {
				await this.#row(core, used, best.threads, beam);
				step();
			}
			const beam = Math.min(partialBeam, rowChosen(this.#rows).beam);
			partialMs = 1000 * (await this.#transcribe(core, beam, false)).seconds;
			step();
		});
		const lower = used === "cpu" || !isElsewhere ? await this.#lower(best) : {};
		return {
			...lower,
			kernels: kernelsOf(kernels),
			model: this.#config.model.name,
			cores: availableParallelism(),
			clipSeconds: this.#clipSeconds,
			rows: this.#rows,
			partialMs,
			spread: this.#spread,
		};
	}

	/** The level below the one that `auto` takes, once. */
	async #lower({ threads, processor }: TuningRow): Promise<{
		lower?: NonNullable<TuningResults["lower"]>;
	}> {
		const level = levelsHere().at(-2);
		const { quick } = this.#options;
		if (quick || !level || this.#config.engine.kernels !== "auto") return {};
		let speed = 0;
		await this.#with(
			processor as Config["engine"]["processor"],
			threads,
			async (core) => {
				const { seconds, audioSeconds } = await this.#transcribe(
					core,
					rowChosen(this.#rows).beam,
					true,
				);
				speed = audioSeconds / seconds;
			},
			level,
		);
		return { lower: { level, speed } };
	}

	/** @returns whether a processor other than the CPU is used. */
	async #with(
		processor: Config["engine"]["processor"],
		threads: number,
		work: (core: EngineCore) => Promise<void>,
		kernels = this.#config.engine.kernels,
	): Promise<boolean> {
		await this.#options.whenQuiet();
		const core = await openCore({
			...engineSettings("live", this.#config),
			processor,
			kernels,
			threads,
			spoolFolder: this.#spoolFolder,
			verify: this.#rows.length === 0,
		});
		try {
			await requireRecognition(core);
			await work(core);
			return computedBy(core) !== "cpu";
		} finally {
			await core.close();
		}
	}

	async #row(
		core: EngineCore,
		processor: string,
		threads: number,
		beam: number,
	): Promise<void> {
		const { seconds, audioSeconds } = await this.#transcribe(core, beam, true);
		this.#clipSeconds = audioSeconds;
		this.#rows.push({
			processor,
			computedBy: computedBy(core),
			threads,
			beam,
			decodeMs: 1000 * seconds,
			speed: audioSeconds / seconds,
		});
	}

	async #transcribe(
		core: EngineCore,
		beam: number,
		punctuation: boolean,
	): Promise<{ seconds: number; audioSeconds: number }> {
		await this.#options.whenQuiet();
		const { least, most, seconds } = this.#options.quick ? quickRuns : runs;
		const wanted = { beam, punctuation };
		const { audioSeconds } = await core.measureProbe(wanted); // warms up
		const costs: number[] = [];
		const since = performance.now();
		while (
			costs.length < least ||
			(costs.length < most && performance.now() - since < seconds * 1000)
		)
			costs.push((await core.measureProbe(wanted)).decodeSeconds);
		costs.sort((a, b) => a - b);
		const middle = costs[costs.length >> 1] as number;
		this.#spread = Math.max(this.#spread, middle / (costs[0] as number));
		return { seconds: middle, audioSeconds };
	}
}

/** The processor other than the CPU, if one is used. */
function computedBy({ processors }: EngineCore): string {
	return processors.find(({ used }) => used !== "cpu")?.used ?? "cpu";
}

async function requireRecognition(core: EngineCore): Promise<void> {
	const { text, wordsMissing } = await core.probe();
	if (wordsMissing.length > 0)
		throw new PackageError(
			`${core.model} does not recognize its own probe clip: ${wordsMissing.join(", ")} missing in ${JSON.stringify(text)}`,
		);
}

function threadsTried(quick: boolean): number[] {
	const most = Math.min(availableParallelism(), threadsMax);
	const tried = [most];
	for (let half = most >> 1; half >= 1 && !quick; half >>= 1) tried.push(half);
	return tried.reverse();
}
