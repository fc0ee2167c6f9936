/**
 * Runs every check and every test and counts them. The checks (format and lint, import rules) count as one test each (types were checked by the
 * build); then each named test of every file under test/. What failed, and why something was skipped, is shown; the last line is the count.
 */
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

interface Tally {
	passed: number;
	failed: number;
	skipped: number;
}

const tally: Tally = { passed: 1, failed: 0, skipped: 0 }; // the type check: scripts/prepare built without an error

const chosen = process.argv.slice(2);
if (chosen.length === 0) {
	await check("format and lint", ["biome", "check", "."]);
	await check("import rules", [
		"depcruise",
		"--config",
		".dependency-cruiser.cjs",
		"runtime",
		"drivers",
	]);
}
await runTap(chosen.length > 0 ? chosen.map(compiled) : testFiles("test"));

const skipped = tally.skipped > 0 ? `, ${tally.skipped} skipped` : "";
console.log(`${tally.passed} passed, ${tally.failed} failed${skipped}`);
process.exitCode = tally.failed > 0 ? 1 : 0;

function compiled(source: string): string {
	return join("build", source.replace(/\.ts$/, ".js"));
}

/** Compiled test files whose source is still there. */
function testFiles(directory: string): string[] {
	return readdirSync(directory, { recursive: true, encoding: "utf8" })
		.filter((name) => name.endsWith(".test.ts"))
		.sort()
		.map((name) => compiled(join(directory, name)))
		.filter((file) => existsSync(file));
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
	if (code === 0) {
		tally.passed++;
		console.log(`ok - ${name}`);
		return;
	}
	tally.failed++;
	console.log(`not ok - ${name}\n${output}`);
}

/**
 * One tap process for all files, its TAP stream read as it comes: an unindented result is a file, one indented by four spaces is a named test.
 */
async function runTap(files: string[]): Promise<void> {
	const child = spawn("node_modules/.bin/tap", ["--reporter=tap", ...files], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	let failedInFile = 0;
	let indented: string[] = [];
	for await (const line of createInterface({ input: child.stdout })) {
		const named = /^ {4}(not )?ok \d+ - (.*)$/.exec(line);
		if (named) {
			if (count(named[1] !== undefined, named[2] ?? "")) failedInFile++;
			if (named[1] !== undefined) console.log(indented.join("\n"));
			continue;
		}
		const file = /^(not )?ok \d+ - (.*?)( # .*)?( \{)?$/.exec(line);
		if (file) {
			// a file that crashed or ran out of time fails even if every named test in it passed
			if (file[1] !== undefined && failedInFile === 0)
				count(true, `${file[2]}${file[3] ?? ""}`);
			console.log(line);
			failedInFile = 0;
		}
		indented = /^\S/.test(line) ? [] : [...indented.slice(-200), line];
	}
	const code = await new Promise((resolve) => child.on("close", resolve));
	if (code !== 0 && tally.failed === 0)
		count(true, `the test runner ended with ${code}`);
}

/** @returns whether it counts as failed. */
function count(notOk: boolean, name: string): boolean {
	const skip = /# (SKIP|TODO)\b(.*)/i.exec(name);
	if (skip) {
		tally.skipped++;
		console.log(`    skipped - ${name}`);
		return false;
	}
	if (notOk) {
		tally.failed++;
		console.log(`    not ok - ${name}`);
		return true;
	}
	tally.passed++;
	return false;
}
