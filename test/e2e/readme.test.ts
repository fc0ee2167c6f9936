import { exec } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import t from "tap";
import { RunningAppliance, repository } from "./running-appliance.js";

/** The commands of README.md's sh blocks, in their order; a backslash joins lines. */
function commands(): string[] {
	const readme = readFileSync(join(repository, "README.md"), "utf8");
	return [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap((block) =>
		(block[1] ?? "")
			.replace(/\\\n\s*/g, "")
			.split("\n")
			.filter((line) => line.trim() !== ""),
	);
}

t.test("every command of the README does what it says", async (t) => {
	const all = commands();
	t.ok(all.includes("./scripts/test"), "this very run");
	t.ok(all.includes("./scripts/run"));
	const earshot = await RunningAppliance.start({}, undefined, [
		join(repository, "scripts/run"),
	]);
	t.teardown(() => earshot.dispose());
	const env = {
		...process.env,
		TOKEN: earshot.token,
		EARSHOT_STATE_DIR: earshot.stateDir,
	};
	for (const command of all) {
		if (/^\.\/scripts\/(test|run)$/.test(command)) continue;
		const here = command.replaceAll("http://127.0.0.1:7100", earshot.url);
		try {
			const { stdout } = await promisify(exec)(here, { cwd: repository, env });
			t.ok(stdout.trim().length > 0, command);
			if (command.includes("/v1/asr/api"))
				t.match(JSON.parse(stdout), { status: "000000" });
		} catch (error) {
			t.fail(`${command}: ${error}`);
		}
	}
});
