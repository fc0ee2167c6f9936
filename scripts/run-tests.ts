/**
 * Runs every check and every test and counts them. The checks (format and lint, import rules) count as one test each (types were checked by the
 * build); then each named test of every file under test/, three files at a time. What failed, and why something was skipped, is shown; the last line is the
 * count.
 */
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { makeOneFileTap } from "./bundles/tap.js";
import { inProcesses } from "./tests/processes.js";
import { endedProcessorSeconds } from "./tests/processor-time.js";
import { runTestProcess, type TestFileResult } from "./tests/test-process.js";

/** More than the two cores of a small machine: in some, recognizers work with a thread or two, and others wait for an event. */
const filesAtOnce = 3;
const tally = { passed: 1, failed: 0, skipped: 0 }; // the type check: scripts/prepare built without an error

let processorSeconds = 0;

const chosen = process.argv.slice(2);
await makeOneFileTap();
const waiting =
	chosen.length > 0 ? chosen.map((source) => [compiled(source)]) : allTests();
await Promise.all([
	chosen.length > 0 ? runWaiting() : runChecks().then(runWaiting),
	...Array.from({ length: filesAtOnce - 1 }, runWaiting),
]);

console.log(`# ${processorSeconds.toFixed(0)} s of processor time`);
const skipped = tally.skipped > 0 ? `, ${tally.skipped} skipped` : "";
console.log(`${tally.passed} passed, ${tally.failed} failed${skipped}`);
process.exitCode = tally.failed > 0 ? 1 : 0;

function compiled(source: string): string {
	return join("build", source.replace(/\.ts$/, ".js"));
}

/** Compiled test files whose source is still there, by process. */
function allTests(): string[][] {
	const names = readdirSync("test", { recursive: true, encoding: "utf8" })
		.filter((name) => name.endsWith(".test.ts"))
		.filter((name) => existsSync(compiled(join("test", name))));
	return inProcesses(names).map((together) =>
		together.map((name) => compiled(join("test", name))),
	);
}

/** In the place of a file of tests. */
async function runChecks(): Promise<void> {
	await check("format and lint", ["biome", "check", "."]);
	await check("import rules", [
		...["depcruise", "--config", ".dependency-cruiser.cjs"],
		...["runtime", "drivers"],
	]);
}

async function check(name: string, command: string[]): Promise<void> {
	const child = spawn(
		join("node_modules/.bin", command[0] as string),
		command.slice(1),
		{
			stdio: ["ignore", "pipe", "pipe"],
		},
	);
	let output = "";
	for (const stream of [child.stdout, child.stderr])
		stream.on("data", (chunk: Buffer) => {
			output += chunk.toString();
		});
	const code = await new Promise((resolve) => child.on("close", resolve));
	processorSeconds += endedProcessorSeconds();
	if (code === 0) {
		tally.passed++;
		console.log(`ok - ${name}`);
		return;
	}
	tally.failed++;
	console.log(`not ok - ${name}\n${output}`);
}

async function runWaiting(): Promise<void> {
	for (let files = waiting.shift(); files; files = waiting.shift()) {
		const { processorSeconds: used, left } = await runTestProcess(
			files,
			chosen.length > 0,
			report,
		);
		processorSeconds += used;
		if (left.length > 0) waiting.unshift([...left]);
	}
}

function report(result: TestFileResult): void {
	const { file, seconds, processorSeconds: used } = result;
	tally.passed += result.passed;
	tally.failed += result.failed.length;
	tally.skipped += result.skipped.length;
	for (const { name, why } of result.failed)
		console.log(`${why}\n    not ok - ${name}`);
	for (const name of result.skipped) console.log(`    skipped - ${name}`);
	const verdict = result.failed.length > 0 ? "not ok" : "ok";
	console.log(
		`${verdict} - ${file} # ${seconds.toFixed(1)} s, ${used.toFixed(1)} s of processor time`,
	);
}
