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
	ProcessorProbe,
	WantedProcessor,
} from "../../runtime/models/inference-port.js";

export type OpenOn = (
	path: string,
	options: InferenceOptions,
	processor: Processor,
) => Promise<InferenceSession>;

/** Those that `auto` tries, the quickest first. */
const accelerators = ["tensorrt", "cuda", "webgpu"] as const;

interface Answered {
	readonly values: Float32Array;
	/** Of the second time: the first one compiles. */
	readonly milliseconds: number;
}

/** @throws when the CPU can't have the graph. */
export async function openChosen(
	port: InferencePort,
	open: OpenOn,
	path: string,
	options: InferenceOptions,
): Promise<InferenceSession> {
	const cpu = await open(path, options, "cpu");
	const { processor } = options;
	if (!processor || processor.wanted === "cpu") return cpu;
	const { wanted, probe } = processor;
	const expected = await answer(port, cpu, probe);
	const refused: { processor: Processor; why: string }[] = [];
	for (const candidate of candidatesOf(wanted)) {
		const tried = await attempt(() => open(path, options, candidate));
		if ("why" in tried) {
			refused.push({ processor: candidate, why: tried.why });
			continue;
		}
		const session = tried.value;
		const given = await attempt(() => answer(port, session, probe));
		const why =
			"why" in given
				? given.why
				: whyNot(given.value, expected, probe, wanted === "auto");
		if (why === undefined) {
			await cpu.close();
			return withChoice(session, { path, used: candidate, refused });
		}
		refused.push({ processor: candidate, why });
		await session.close();
	}
	return withChoice(cpu, { path, used: "cpu", refused });
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
	{ inputNames, inputs, outputNames, run, close }: InferenceSession,
	{
		path,
		...choice
	}: {
		readonly path: string;
		readonly used: Processor;
		readonly refused: readonly { processor: Processor; why: string }[];
	},
): InferenceSession {
	return {
		choice: { graph: basename(path), ...choice },
		inputNames,
		inputs,
		outputNames,
		run,
		close,
	};
}

/** Runtimes complain over many lines, with places in their own sources. */
async function attempt<T>(
	work: () => Promise<T>,
): Promise<{ readonly value: T } | { readonly why: string }> {
	try {
		return { value: await work() };
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		const said = message.split("\n").find((line) => line.trim() !== "");
		return { why: (said ?? "no reason given").trim().slice(-200) };
	}
}
