/**
 * Which processor computes a graph: the one that was asked for, if it answers as the CPU does; else the CPU, and the reason is told.
 *
 * INVARIANT: no answer of another processor than the CPU leaves this process before it was compared with the CPU's.
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

/** `reference`: the CPU, with no kernel of ours (capi/kernels/kernels.h), whose roundings nobody else shares. */
export type OpenOn = (
	path: string,
	options: InferenceOptions,
	processor: Processor | "reference",
) => Promise<InferenceSession>;

/** Drivers crash and hang: whoever keeps this process alive is told which processor was being tried when it died, and can say so to the next one. */
export interface Trials {
	/** Killed a process before this one. */
	readonly distrusted: readonly RefusedProcessor[];
	/** Settles when it can't get lost any more. @param processor that is tried or used from here on; undefined: only the CPU. */
	onTry(processor: Processor | undefined): Promise<void>;
}

/** Those that `auto` tries, the quickest first. */
const accelerators = ["tensorrt", "cuda", "webgpu"] as const;

interface Answered {
	readonly values: Float32Array;
	/** Of the second time: the first one compiles. */
	readonly milliseconds: number;
}

export class ProcessorChooser {
	readonly #port: InferencePort;
	readonly #open: OpenOn;
	readonly #trials: Trials;
	/** Of an earlier graph. */
	#used: Processor | undefined;

	constructor(port: InferencePort, open: OpenOn, trials: Trials) {
		this.#port = port;
		this.#open = open;
		this.#trials = trials;
	}

	/** @throws when the CPU can't have the graph. */
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
		let expected: Answered | undefined;
		for (const candidate of candidatesOf(wanted)) {
			const known = this.#trials.distrusted.find(
				(it) => it.processor === candidate,
			);
			if (known) {
				refused.push(known);
				continue;
			}
			await this.#trials.onTry(candidate);
			const tried = await attempt(() => this.#open(path, options, candidate));
			let why = "why" in tried ? tried.why : undefined;
			if ("value" in tried) {
				const session = tried.value;
				expected ??= await this.#expect(cpu, path, options, probe);
				why = await this.#whyNot(session, expected, probe, wanted === "auto");
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

	/** The reference's values, in less time than the CPU takes. */
	async #expect(
		cpu: InferenceSession,
		path: string,
		options: InferenceOptions,
		probe: ProcessorProbe,
	): Promise<Answered> {
		const reference = await this.#open(path, options, "reference");
		try {
			const values = await probe.answers(this.#port, reference);
			const { milliseconds } = await answer(this.#port, cpu, probe);
			return { values, milliseconds };
		} finally {
			await reference.close();
		}
	}

	async #whyNot(
		session: InferenceSession,
		expected: Answered,
		probe: ProcessorProbe,
		mustWin: boolean,
	): Promise<string | undefined> {
		const given = await attempt(() => answer(this.#port, session, probe));
		return "why" in given
			? given.why
			: whyNot(given.value, expected, probe, mustWin);
	}
}

function candidatesOf(wanted: WantedProcessor): readonly Processor[] {
	return wanted === "auto" ? accelerators : [wanted];
}

async function answer(
	port: InferencePort,
	session: InferenceSession,
	probe: ProcessorProbe,
): Promise<Answered> {
	await probe.answers(port, session);
	const since = performance.now();
	const values = await probe.answers(port, session);
	return { values, milliseconds: performance.now() - since };
}

/** @param mustWin nobody asked for it by name. */
function whyNot(
	given: Answered,
	expected: Answered,
	{ toleranceMax }: ProcessorProbe,
	mustWin: boolean,
): string | undefined {
	const off = difference(given.values, expected.values);
	if (!(off <= toleranceMax))
		return `it does not compute what the CPU does: ${percent(off)} of the largest value apart, ${percent(toleranceMax)} at most`;
	if (mustWin && given.milliseconds >= expected.milliseconds)
		return "the CPU is quicker";
	return undefined;
}

/** NaN where either is not finite, or where their numbers differ. */
function difference(given: Float32Array, expected: Float32Array): number {
	if (given.length !== expected.length) return Number.NaN;
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
	return Number.isNaN(share) ? "infinitely" : `${(100 * share).toFixed(1)} %`;
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
		run: (feeds, fetches) => session.run(feeds, fetches),
		close: () => session.close(),
	};
}

/** Runtimes complain over many lines, with places in their own sources; what is wrong stands at the beginning or at the end. */
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
