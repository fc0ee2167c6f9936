/** `--set section.key=value`: a mistake in it is wrong usage, as that of any other option. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { earshot } from "./earshot.js";

t.test("a mistake in --set is wrong usage", async (t) => {
	for (const [set, err] of [
		[
			"server.port=x",
			/^earshot: server\.port in command line must be .*"x"\n$/,
		],
		["server.prot=1", /^earshot: unknown .* server\.prot in the command line/],
		["server.port", /^earshot: command line: expected section\.key=value/],
	] as const)
		t.match(
			await earshot(["--set", set, "config", "show"]),
			{ code: 2, out: "", err },
			set,
		);
});

t.test("a mistake in the file is none, whatever is set", async (t) => {
	const file = join(t.testdir(), "earshot.toml");
	writeFileSync(file, "[server]\nport = 0.5\n");
	for (const set of ["server.port=7", "server.port=x"])
		t.match(
			await earshot(["--set", set, "config", "show"], { EARSHOT_CONFIG: file }),
			{ code: 1, out: "", err: /^earshot: server\.port in \S+earshot\.toml / },
			set,
		);
});
