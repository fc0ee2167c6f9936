/**
 * Chooses the processor for a graph: the requested one, if its results match the CPU's; otherwise the CPU, and the reason is reported.
 *
 * INVARIANT: results of a processor other than the CPU are not used before its probe matched the CPU's.
 */
import { basename } from "node:path";
import type {
	InferenceOptions,
	InferencePort,
	InferenceSession,
	Processor,
	ProcessorChoice,
	ProcessorProbe,
	RefusedProcessor,
	WantedProcessor,
} from "../../runtime/models/inference-port.js";
import { whyAbsent } from "./absent.js";

/** `reference`: the CPU without our kernels (capi/kernels/kernels.h), whose rounding differs from all others. */
export type OpenOn = (
	path: string,
	options: InferenceOptions,
	processor: Processor | "reference",
) => Promise<InferenceSession>;

/** Drivers crash and hang: the supervisor of this process is notified which processor is being tried, so that it can exclude it in the next process. */
export interface Trials {
	/** Processors that crashed an earlier process. */
	readonly distrusted: readonly RefusedProcessor[];
	/** Settles when the notification can't be lost any more. @param processor tried or used from now on; undefined: only the CPU. */
	onTry(processor: Processor | undefined): Promise<void>;
}

/** Processors that `auto` tries, the fastest first. */
const accelerators = ["tensorrt", "cuda", "webgpu"] as const;

interface Answered {
	readonly values: Float32Array;
	/** Duration of the second run: the first one includes compilation. */
	readonly milliseconds: number;
}

export class ProcessorChooser {
	readonly #port: InferencePort;
	readonly #open: OpenOn;
	readonly #trials: Trials;
	/** Processor of an earlier graph. */
	#used: Processor | undefined;

	constructor(port: InferencePort, open: OpenOn, trials: Trials) {
		this.#port = port;
		this.#open = open;
		this.#trials = trials;
	}

	/** @throws when the CPU can't open the graph. */
	async open(
		path: string,
		options: InferenceOptions,
	): Promise<InferenceSession> {
		const cpu = await this.#open(path, options, "cpu");
		const { processor } = options;
		if (!processor || processor.wanted === "cpu") return cpu;
		const { wanted, probe } = processor;
		const graph = basename(path);
		const refused: RefusedProcessor[] = [];
		let reference: Promise<Answered> | undefined;
		for (const candidate of candidatesOf(wanted)) {
			const known = this.#trials.distrusted.find(
				(it) => it.processor === candidate,
			);
			if (known) {
				refused.push(known);
				continue;
			}
			const absent = wanted === "auto" ? whyAbsent(candidate) : undefined;
			if (absent !== undefined) {
				refused.push({ processor: candidate, why: absent });
				continue;
			}
			await this.#trials.onTry(candidate);
			const tried = await attempt(() => this.#open(path, options, candidate));
			let why = "why" in tried ? tried.why : undefined;
			if ("value" in tried) {
				const session = tried.value;
				const mustWin = wanted === "auto";
				reference ??= this.#expect(cpu, path, options, probe, mustWin);
				why = await this.#whyNot(session, reference, probe, mustWin);
				if (why === undefined) {
					this.#used = candidate;
					await cpu.close();
					return withChoice(session, { graph, used: candidate, refused });
				}
				await session.close();
			}
			refused.push({ processor: candidate, why: why ?? "" });
			await this.#trials.onTry(this.#used);
		}
		return withChoice(cpu, { graph, used: "cpu", refused });
	}

	/** The reference's values, and the CPU's time with our kernels. */
	async #expect(
		cpu: InferenceSession,
		path: string,
		options: InferenceOptions,
		probe: ProcessorProbe,
		mustWin: boolean,
	): Promise<Answered> {
		const reference = await this.#open(path, options, "reference");
		try {
			const values = await probe.answers(this.#port, reference);
			const { milliseconds } = await answer(this.#port, cpu, probe, mustWin);
			return { values, milliseconds };
		} finally {
			await reference.close();
		}
	}

	async #whyNot(
		session: InferenceSession,
		reference: Promise<Answered>,
		probe: ProcessorProbe,
		mustWin: boolean,
	): Promise<string | undefined> {
		const expected = await attempt(() => reference);
		if ("why" in expected)
			return `the CPU's results, which its own must match, are missing: ${expected.why}`;
		const given = await attempt(() =>
			answer(this.#port, session, probe, mustWin),
		);
		return "why" in given
			? given.why
			: whyNot(given.value, expected.value, probe, mustWin);
	}
}

function candidatesOf(wanted: WantedProcessor): readonly Processor[] {
	return wanted === "auto" ? accelerators : [wanted];
}

/** Where the time decides, the quickest counts: other programs may hold up any of them. */
const timedRuns = 3;

async function answer(
	port: InferencePort,
	session: InferenceSession,
	probe: ProcessorProbe,
	mustWin: boolean,
): Promise<Answered> {
	let values = await probe.answers(port, session);
	let milliseconds = Number.POSITIVE_INFINITY;
	for (let run = 0; run < (mustWin ? timedRuns : 1); run++) {
		const since = performance.now();
		values = await probe.answers(port, session);
		milliseconds = Math.min(milliseconds, performance.now() - since);
	}
	return { values, milliseconds };
}

/** @param mustWin it must be faster than the CPU, because it was not requested by name. */
function whyNot(
	given: Answered,
	expected: Answered,
	{ toleranceMax }: ProcessorProbe,
	mustWin: boolean,
): string | undefined {
	if (given.values.length !== expected.values.length)
		return `it returns ${given.values.length} values, the CPU ${expected.values.length}`;
	const off = difference(given.values, expected.values);
	if (Number.isNaN(off))
		return "its results contain values that are not finite";
	if (!(off <= toleranceMax))
		return `its results differ from the CPU's by ${percent(off)} of the largest value, more than ${percent(toleranceMax)}`;
	if (mustWin && given.milliseconds >= expected.milliseconds)
		return "the CPU is faster";
	return undefined;
}

/** Of two arrays of one length, relative to the largest value expected; NaN if a value is not finite. */
function difference(given: Float32Array, expected: Float32Array): number {
	let largest = 0;
	let apart = 0;
	for (let i = 0; i < expected.length; i++) {
		const value = expected[i] as number;
		const off = Math.abs((given[i] as number) - value);
		if (!Number.isFinite(off)) return Number.NaN;
		largest = Math.max(largest, Math.abs(value));
		apart = Math.max(apart, off);
	}
	return largest === 0 ? apart : apart / largest;
}

function percent(share: number): string {
	return `${(100 * share).toFixed(1)} %`;
}

function withChoice(
	session: InferenceSession,
	choice: ProcessorChoice,
): InferenceSession {
	const { inputNames, inputs, outputNames } = session;
	return {
		choice,
		inputNames,
		inputs,
		outputNames,
		run: (feeds, fetches, into) => session.run(feeds, fetches, into),
		close: () => session.close(),
	};
}

/** Error messages of runtimes have many lines with source locations; the cause is at the beginning or at the end. */
async function attempt<T>(
	work: () => Promise<T>,
): Promise<{ readonly value: T } | { readonly why: string }> {
	try {
		return { value: await work() };
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		const firstLine = message.split("\n").find((line) => line.trim() !== "");
		return { why: shortened((firstLine ?? "no reason given").trim()) };
	}
}

function shortened(text: string): string {
	if (text.length <= 300) return text;
	return `${text.slice(0, 90)} ... ${text.slice(-200)}`;
}
