/**
 * Files of tests in a process of their own, one file or several (several-files.ts): its TAP stream is read as it comes. Started as plain node and not through
 * tap's runner, which loads what our tests do not use into every one of them (a quarter of a second of processor time a process).
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type FileEnd, fileEnd } from "./file-end.js";
import { endedProcessorSeconds } from "./processor-time.js";

/** The processor time is that of the file and of what it started, as far as that ended before it; the first one's of a process with the process's start. */
export interface TestFileResult extends FileEnd {
	readonly passed: number;
	/** With what the file said of each. */
	readonly failed: readonly { readonly name: string; readonly why: string }[];
	/** With the reason. */
	readonly skipped: readonly string[];
}

export interface TestProcessResult {
	/** Of the process and of what it started. */
	readonly processorSeconds: number;
	/** Not begun: the process ended in a file before them. */
	readonly left: readonly string[];
}

/**
 * A file that is not through for so long hangs, and has failed: tap's timer of the file. Long on purpose: beside other work a file takes five times its
 * time, and no test fails for being slow.
 */
const fileSecondsMax = 600;
/** What is still open when all tests are done keeps the process alive; that is a fault of the file. */
const leaveMsMax = 30_000;
/** Of what precedes a failed test's line and belongs to it, without the assertions that passed: a long test has hundreds after the one that failed. */
const linesMax = 200;
const passedAssertion = /^ {8,}ok \d+ - (?!.*# (SKIP|TODO)\b)/i;

/**
 * Garbage is collected by the thread that made it: threads that help it take a twentieth of a process's time, and the processors are busy with other files. Not where
 * a file is alone, which may measure how long its loop is held.
 */
const collectAlone = "--single-threaded-gc";

const runner = fileURLToPath(new URL("several-files.js", import.meta.url));

/**
 * @param files compiled.
 * @param asSource whether stack traces show lines of the source: the map of every module is read for that, a tenth of a second for each file of tests.
 * @param onResult one for each file, when it is through.
 */
export async function runTestProcess(
	files: readonly string[],
	asSource: boolean,
	onResult: (result: TestFileResult) => void,
): Promise<TestProcessResult> {
	const flags = [
		...(asSource ? ["--enable-source-maps"] : []),
		...(files.length > 1 ? [collectAlone] : []),
	];
	const child = spawn(process.execPath, [...flags, runner, ...files], {
		stdio: ["ignore", "pipe", "inherit"],
		env: { TAP_TIMEOUT: String(fileSecondsMax), ...process.env },
	});
	let processorSeconds = 0;
	child.on("exit", () => {
		processorSeconds = endedProcessorSeconds();
	});
	const ended = new Promise<string | undefined>((resolve) =>
		child.on("close", (code, signal) =>
			resolve(code === 0 ? undefined : `it ended with ${code ?? signal}`),
		),
	);
	const left = [...files];
	let hasFailed = false;
	let tests = new FileTests();
	let leaving: NodeJS.Timeout | undefined;
	const report = (result: TestFileResult) => {
		hasFailed ||= result.failed.length > 0;
		tests = new FileTests();
		onResult(result);
	};
	for await (const line of createInterface({ input: child.stdout })) {
		tests.read(line);
		const end = fileEnd.read(line);
		if (end) {
			left.shift();
			report(tests.result(end));
		}
		if (/^1\.\.\d+/.test(line))
			leaving ??= setTimeout(() => child.kill("SIGKILL"), leaveMsMax);
	}
	const fault = await ended;
	clearTimeout(leaving);
	// a process that crashed or ran out of time fails even if every named test in it passed
	if (fault !== undefined && (left.length > 0 || !hasFailed)) {
		const file = left.shift() ?? files.join(" ");
		report(tests.result({ file, seconds: 0, processorSeconds }, fault));
	}
	return { processorSeconds, left };
}

/** What one file's part of the stream says: the results of its tests are indented once, their own lines further, and come before. */
class FileTests {
	readonly #failed: { name: string; why: string }[] = [];
	readonly #skipped: string[] = [];
	/** What is said of the file itself, as after a teardown that failed. */
	readonly #faults: string[] = [];
	#passed = 0;
	#lines: string[] = [];

	read(line: string): void {
		const result = /^ {4}(not )?ok \d+ - (.*?)( \{)?$/.exec(line);
		if (result) {
			const [, not, name = ""] = result;
			if (/# (SKIP|TODO)\b/i.test(name)) this.#skipped.push(name);
			else if (not) this.#failed.push({ name, why: this.#lines.join("\n") });
			else this.#passed++;
		}
		const [, fault] = /^not ok \d+ - (.*?)( # time=.*)?$/.exec(line) ?? [];
		if (fault !== undefined) this.#faults.push(fault);
		if (/^( {4})?\S/.test(line)) this.#lines = [];
		else if (!passedAssertion.test(line))
			this.#lines = [...this.#lines.slice(-linesMax), line];
	}

	/** @param fault of the process. A fault fails the file if no test did. */
	result(end: FileEnd, fault?: string): TestFileResult {
		const failed = [...this.#failed];
		const faults = [...this.#faults, ...(fault === undefined ? [] : [fault])];
		if (failed.length === 0 && faults.length > 0)
			failed.push({
				name: end.file,
				why: [...this.#lines, ...new Set(faults)].join("\n"),
			});
		return { ...end, passed: this.#passed, failed, skipped: this.#skipped };
	}
}
