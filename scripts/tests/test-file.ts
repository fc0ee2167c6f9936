/**
 * One file of tests in a process of its own: its TAP stream is read as it comes. Started as plain node and not through tap's runner, which loads what our
 * tests do not use into every one of them (a quarter of a second of processor time a file).
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { endedProcessorSeconds } from "./processor-time.js";

export interface TestFileResult {
	readonly passed: number;
	/** With what the file said of each. */
	readonly failed: readonly { readonly name: string; readonly why: string }[];
	/** With the reason. */
	readonly skipped: readonly string[];
	readonly seconds: number;
	/** Of the file's process and of what it started, as far as that ended before it. */
	readonly processorSeconds: number;
}

/**
 * A file that is not through for so long hangs, and has failed: tap's timer of the root test. Long on purpose: beside other work a file takes five times its
 * time, and no test fails for being slow.
 */
const fileSecondsMax = 600;
/** What is still open when all tests are done keeps the process alive; that is a fault of the file. */
const leaveMsMax = 30_000;
/** Of what precedes a failed test's line and belongs to it. */
const linesMax = 200;

/**
 * @param file compiled.
 * @param asSource whether stack traces show lines of the source: the map of every module is read for that, a tenth of a second for each file of tests.
 */
export async function runTestFile(
	file: string,
	asSource: boolean,
): Promise<TestFileResult> {
	const startMs = performance.now();
	const flags = asSource ? ["--enable-source-maps"] : [];
	const child = spawn(process.execPath, [...flags, file], {
		stdio: ["ignore", "pipe", "inherit"],
		env: { TAP_TIMEOUT: String(fileSecondsMax), ...process.env },
	});
	const failed: { name: string; why: string }[] = [];
	const skipped: string[] = [];
	let passed = 0;
	let lines: string[] = [];
	let leaving: NodeJS.Timeout | undefined;
	let processorSeconds = 0;
	child.on("exit", () => {
		processorSeconds = endedProcessorSeconds();
	});
	const ended = new Promise<string | undefined>((resolve) =>
		child.on("close", (code, signal) =>
			resolve(code === 0 ? undefined : `it ended with ${code ?? signal}`),
		),
	);
	for await (const line of createInterface({ input: child.stdout })) {
		const result = /^(not )?ok \d+ - (.*?)( \{)?$/.exec(line);
		if (result) {
			const [, not, name = ""] = result;
			if (/# (SKIP|TODO)\b/i.test(name)) skipped.push(name);
			else if (not) failed.push({ name, why: lines.join("\n") });
			else passed++;
		}
		// a test's own lines are indented, and come before its result
		lines = /^\S/.test(line) ? [] : [...lines.slice(-linesMax), line];
		if (/^1\.\.\d+/.test(line))
			leaving ??= setTimeout(() => child.kill("SIGKILL"), leaveMsMax);
	}
	const fault = await ended;
	clearTimeout(leaving);
	// a file that crashed or ran out of time fails even if every named test in it passed
	if (fault !== undefined && failed.length === 0)
		failed.push({ name: file, why: fault });
	const seconds = (performance.now() - startMs) / 1000;
	return { passed, failed, skipped, seconds, processorSeconds };
}
