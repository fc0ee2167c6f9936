/** Where a command can't write what it has to print. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t from "tap";
import { claimedPort } from "../fixtures/claimed-port.js";
import { eventually } from "../fixtures/eventually.js";
import { main } from "./earshot.js";

const logModule = new URL("../../runtime/log/log.js", import.meta.url).href;

t.test("a full disk behind the output is one sentence", async (t) => {
	const full = openSync("/dev/full", "w");
	t.teardown(() => closeSync(full));
	const { status, stderr } = spawnSync(
		process.execPath,
		[main, "text", "--lang", "zh", "三月五号"],
		{ stdio: ["ignore", full, "pipe"], encoding: "utf8" },
	);
	t.equal(status, 1);
	t.match(
		stderr,
		/^earshot: the output can't be written: ENOSPC[^\n]*: make room on the disk\n$/,
	);
});

t.test("a full disk behind the log does not end a server", async (t) => {
	const full = openSync("/dev/full", "w");
	const dir = mkdtempSync(join(tmpdir(), "earshot-output-"));
	const port = await claimedPort();
	for (const pretty of ["no", "yes"]) {
		const server = spawn(process.execPath, [main, "serve"], {
			stdio: ["ignore", full, full],
			env: {
				PATH: process.env.PATH,
				EARSHOT_STATE_DIR: dir,
				EARSHOT_SERVER_PORT: String(port),
				EARSHOT_SERVER_HOST: "127.0.0.1",
				EARSHOT_TLS_PORT: "0",
				EARSHOT_LOG_PRETTY: pretty,
				EARSHOT_LOG_LEVEL: "debug",
			},
		});
		t.teardown(() => server.kill("SIGKILL"));
		const ended = once(server, "exit");
		await eventually("an answer, or the end", async () => {
			if (server.exitCode !== null) return true;
			return (await fetch(`http://127.0.0.1:${port}/healthz`)).status > 0;
		});
		server.kill();
		t.strictSame(await ended, [0, null], `log.pretty = "${pretty}"`);
	}
	t.teardown(() => {
		closeSync(full);
		rmSync(dir, { recursive: true });
	});
});

t.test("a fatal error ends it there as well", async (t) => {
	const full = openSync("/dev/full", "w");
	t.teardown(() => closeSync(full));
	const script = `import { createLogger } from ${JSON.stringify(logModule)};
const log = createLogger({ level: "info", pretty: "no" });
for (let i = 0; i < 3000; i++) log.info("x".repeat(1000));
log.fatal("the end");
process.exit(3);`;
	const { status } = spawnSync(
		process.execPath,
		["--input-type=module", "-e", script],
		{ stdio: ["ignore", full, "inherit"], timeout: 240_000 },
	);
	t.equal(status, 3);
});
