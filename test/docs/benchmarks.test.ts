/** BENCHMARKS.md stays short enough to be read, and every row of the log can be traced to the code that it measured. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import t from "tap";
import { withRows } from "../../scripts/benchmarks/report.js";

const bytesMax = 6_000;
const log = readFileSync("docs/benchmarks/log.md", "utf8");

t.test(`BENCHMARKS.md has at most ${bytesMax} bytes`, async (t) => {
	t.ok(readFileSync("BENCHMARKS.md").length <= bytesMax);
});

t.test(
	"a commit named in the log exists",
	{ skip: historyMissing() ?? false },
	async (t) => {
		const earlier = readFileSync("docs/benchmarks/log-1.md", "utf8");
		const commits = commitsOf(earlier + log);
		t.ok(commits.size > 20, `${commits.size} commits`);
		for (const commit of commits) t.ok(isCommit(commit), commit);
	},
);

t.test("recorded rows go to the end of the log's table", async (t) => {
	const row = "| 2026-11-23 | 0123456 | machine | what | 1 | - | - | - |";
	const lines = withRows(log, [row]).split("\n");
	const at = lines.indexOf(row);
	t.match(lines[at - 1], /^\| \d{4}-/);
	t.notMatch(lines.slice(at + 1).join("\n"), /^\| /m);
	t.equal(lines.filter((line) => line !== row).join("\n"), log);
	t.throws(() => withRows("no table here", [row]), /has no table/);
});

/** Hashes of the column of commits; a row from before the history was rewritten names the commit that recorded it. */
function commitsOf(table: string): ReadonlySet<string> {
	const cells = [...table.matchAll(/^\| \d{4}-\d\d-\d\d \| ([^|]*) \|/gm)];
	return new Set(
		cells.flatMap(([, cell = ""]) => cell.match(/\b[0-9a-f]{7,40}\b/g) ?? []),
	);
}

/** @returns why commits can't be looked up here; undefined where they can. */
function historyMissing(): string | undefined {
	try {
		const isShallow = git("rev-parse", "--is-shallow-repository") === "true";
		return isShallow ? "a shallow clone has no history" : undefined;
	} catch {
		return "no git repository here";
	}
}

function isCommit(hash: string): boolean {
	try {
		return git("cat-file", "-t", hash) === "commit";
	} catch {
		return false;
	}
}

function git(...args: string[]): string {
	return execFileSync("git", args, {
		encoding: "utf8",
		stdio: ["ignore", "pipe", "ignore"],
	}).trim();
}
