import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { program } from "../../runtime/cli/verbs.js";
import {
	bashCompletion,
	manualPage,
} from "../../scripts/executable/debian/command-line.js";

const commands = await program("all");

/** The completions that bash would offer after these words. */
function offered(dir: string, words: readonly string[]): string[] {
	const file = join(dir, "completion");
	writeFileSync(file, bashCompletion(commands));
	const script = `. ${file}; COMP_WORDS=(earshot "$@"); COMP_CWORD=$#; _earshot; echo "\${COMPREPLY[@]}"`;
	return execFileSync("bash", ["-c", script, "bash", ...words], {
		encoding: "utf8",
	})
		.trim()
		.split(" ");
}

t.test("completions match the commands", async (t) => {
	const dir = t.testdir();
	t.strictSame(offered(dir, ["mod"]), ["models"]);
	t.strictSame(offered(dir, ["models", "ver"]), ["verify"]);
	t.strictSame(offered(dir, ["token", "create", "--tt"]), ["--ttl"]);
	t.strictSame(offered(dir, ["upd"]), ["update"]);
	t.strictSame(offered(dir, ["tu"]), ["tune"]);
	t.strictSame(offered(dir, ["update", "--roll"]), ["--rollback"]);
	for (const hidden of ["engine", "on-trial", "load-libraries"])
		t.notOk(offered(dir, [""]).includes(hidden), `${hidden} is hidden`);
});

t.test("the manual page has every command for people", async (t) => {
	const page = manualPage(commands, "1.2.3");
	for (const title of [
		"earshot serve",
		"earshot models verify [folder...]",
		"earshot update",
		"earshot tune",
	])
		t.ok(page.includes(`.SS "${title}"`), title);
	t.match(page, /\.TH EARSHOT 1 "" "earshot 1\.2\.3"/);
	t.match(page, /\\-\\-name/);
	t.notMatch(page, /earshot engine/);
});
