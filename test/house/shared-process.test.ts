/** Files of tests that share a process (scripts/tests/several-files.ts): none notices another, and one that ends the process fails alone. */
import { join } from "node:path";
import t from "tap";
import { inProcesses } from "../../scripts/tests/processes.js";
import {
	runTestProcess,
	type TestFileResult,
} from "../../scripts/tests/test-process.js";

const fixture = (name: string) =>
	join(import.meta.dirname, "fixtures", `${name}.js`);

async function run(...names: readonly string[]) {
	const results: TestFileResult[] = [];
	const { left } = await runTestProcess(names.map(fixture), false, (it) =>
		results.push(it),
	);
	return { results, left };
}

t.test("a file finds nothing of the one before it", async (t) => {
	const { results, left } = await run("changes-environment", "looks-around");
	t.same(left, []);
	t.match(results, [
		{
			file: fixture("changes-environment"),
			passed: 1,
			failed: [{ name: /^one fails/, why: /not ok 1 - should be equal/ }],
			skipped: [/^one is skipped # SKIP no reason/],
		},
		{
			file: fixture("looks-around"),
			passed: 0,
			failed: [],
			skipped: [
				`nothing is left, ${process.env.HOME}, ${process.cwd()} # SKIP`,
			],
		},
	]);
	t.ok(results.every((it) => it.processorSeconds > 0));
});

t.test(
	"a file that ends the process fails, the next ones are left",
	async (t) => {
		const next = "looks-around";
		const { results, left } = await run(next, "ends-its-process", next);
		t.match(results, [
			{ passed: 0, failed: [] },
			{ passed: 1, failed: [{ why: /it ended with SIGKILL/ }] },
		]);
		t.same(left, [fixture(next)]);
	},
);

t.test(
	"a teardown that fails fails its file, also behind another failure",
	async (t) => {
		const { results } = await run(
			...["changes-environment", "fails-at-its-end", "looks-around"],
		);
		t.match(results, [
			{ failed: [{ name: /^one fails/ }] },
			{ passed: 1, failed: [{ why: /not put away/ }] },
			{ failed: [] },
		]);
	},
);

t.test("of a long test it is said what failed in it", async (t) => {
	const { results } = await run("fails-early");
	t.match(results, [{ failed: [{ why: /not ok 1 - its beginning/ }] }]);
});

t.test("what measures its process has one of its own", async (t) => {
	const names = [
		"text/a.test.ts",
		"whisper/recognizer.test.ts",
		"text/b.test.ts",
	];
	t.same(inProcesses([...names, "e2e/a.test.ts", "e2e/b.test.ts"]), [
		["e2e/a.test.ts"],
		["e2e/b.test.ts"],
		["whisper/recognizer.test.ts"],
		["text/a.test.ts", "text/b.test.ts"],
	]);
	const sharing = ["e2e/sdk.test.ts", "e2e/text.test.ts"];
	t.same(inProcesses(["e2e/clock.test.ts", ...sharing]), [
		sharing,
		["e2e/clock.test.ts"],
	]);
});
