import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import t, { type Test } from "tap";
import { openServiceManager } from "../../drivers/systemd/notify.js";
import { RunningAppliance, repository } from "../e2e/running-appliance.js";
import { tinyModel } from "../e2e/tiny-model.js";
import { eventually } from "../fixtures/eventually.js";
import { startFixture } from "../store/children.js";
import { NotifySocket } from "./notify-socket.js";

const noModel = existsSync(join(repository, "models/whisper-base/model.json"))
	? false
	: "no model";

async function managed(
	t: Test,
	environment: Record<string, string> = {},
	stateDir?: string,
) {
	const manager = await NotifySocket.open();
	t.teardown(() => manager.close());
	const earshot = await RunningAppliance.launch(
		{ NOTIFY_SOCKET: manager.path, ...(await tinyModel()), ...environment },
		stateDir,
	);
	t.teardown(() => earshot.dispose());
	return { manager, earshot, pid: earshot.process.pid as number };
}

async function childOf(pid: number): Promise<number> {
	const { stdout } = await promisify(execFile)("pgrep", ["-P", String(pid)]);
	return Number(stdout.trim().split("\n")[0]);
}

/** Its line may come a moment after the notification. */
function logged({ log }: RunningAppliance, line: RegExp): Promise<true> {
	return written(log, line);
}

/** On standard error. */
function shown({ screen }: RunningAppliance, line: RegExp): Promise<true> {
	return written(screen, line);
}

function written(lines: readonly string[], line: RegExp): Promise<true> {
	return eventually(`${line}`, () => lines.some((it) => line.test(it)), {
		seen: () => lines.slice(-30).join("\n"),
	});
}

/** How long a loop is blocked. */
const holdMs = 2500;
/** Watchdog timeout of the manager; checks are a third of it apart. */
const watchdogMs = 600;
/** Long enough for a notification: the absence of one has no event to wait for. Too short a time would miss a fault, and invent none. */
const severalChecks = () => pause(watchdogMs);

/** On a busy machine a check that had begun before may still feed it. */
function unfed(manager: NotifySocket): Promise<unknown> {
	return eventually("a watchdog that is not fed", async () => {
		const fed = manager.count("WATCHDOG=1");
		await severalChecks();
		return manager.count("WATCHDOG=1") === fed;
	});
}

t.test(
	"a service manager is notified of each phase, by the process it started",
	{ skip: noModel },
	async (t) => {
		const configFolder = join(t.testdir(), "etc");
		mkdirSync(join(configFolder, "earshot.d"), { recursive: true });
		const dropIn = join(configFolder, "earshot.d", "10-log.toml");
		const stateDir = join(t.testdirName, "state");
		const { manager, earshot, pid } = await managed(
			t,
			{
				CONFIGURATION_DIRECTORY: configFolder,
				EARSHOT_SERVER_DRAIN_SECONDS: "3",
				EARSHOT_LOG_LEVEL: "", // the drop-in says it
			},
			stateDir,
		);
		const ready = await manager.waitFor(/^READY=1$/);
		t.equal(
			(await fetch(`${earshot.url}/healthz`)).status,
			200,
			"ready: the engine has recognized its probe clip",
		);
		t.match(ready.lines[1], /^STATUS=port \d+: idle$/);
		const before = manager.notices.slice(0, manager.notices.indexOf(ready));
		t.same(
			new Set(before.map((it) => it.lines.join("; "))),
			new Set([
				"EXTEND_TIMEOUT_USEC=15000000; STATUS=opening the database",
				"EXTEND_TIMEOUT_USEC=15000000; STATUS=opening the database: checking, 100 %",
				"EXTEND_TIMEOUT_USEC=15000000; STATUS=loading the model",
			]),
			"more time is asked for before, as often as it takes",
		);

		const seen = manager.notices.length;
		writeFileSync(
			dropIn,
			'[log]\nlevel = "debug"\n[server]\nport = 1\n[auth]\nrate_burst = 7\n',
		);
		earshot.process.kill("SIGHUP");
		const reloading = await manager.waitFor(/^RELOADING=1$/, seen);
		t.match(reloading.lines[1], /^MONOTONIC_USEC=\d+$/);
		const microseconds = Number(reloading.lines[1]?.split("=")[1]);
		t.ok(
			Math.abs(microseconds / 1000 - reloading.ms) < 60_000,
			"by the clock that the manager compares with",
		);
		await manager.waitFor(/^READY=1$/, seen);
		await logged(
			earshot,
			/"changed":\["auth.rate_burst","log.level"\].*"configuration reloaded"/,
		);
		t.notMatch(
			earshot.log.join("\n"),
			/"server.port"/,
			"set by the environment: the file's value is not in force anyway",
		);

		writeFileSync(dropIn, "[server]\nprot = 1\n");
		earshot.process.kill("SIGHUP");
		const again = manager.notices.length;
		await manager.waitFor(/^RELOADING=1$/, again);
		await manager.waitFor(/^READY=1$/, again);
		await logged(
			earshot,
			/"level":"error".*unknown configuration key server.prot.*nothing changed/,
		);

		const stopped = earshot.stop();
		const stopping = await manager.waitFor(/^STOPPING=1$/);
		t.match(stopping.lines, [
			"STOPPING=1",
			"EXTEND_TIMEOUT_USEC=18000000",
			/^STATUS=/,
		]);
		t.equal(await stopped, 0);
		t.ok(
			manager.notices.every((it) => it.pid === pid),
			"NotifyAccess=main is enough",
		);
		t.equal(manager.count("WATCHDOG=1"), 0, "no watchdog was asked for");
	},
);

t.test(
	"a hung engine, a database without writes, and a blocked event loop stop the watchdog",
	{ skip: noModel },
	async (t) => {
		const { manager, earshot, pid } = await managed(t, {
			WATCHDOG_USEC: String(watchdogMs * 1000),
			EARSHOT_ENGINE_PING_SECONDS: "0.1",
			EARSHOT_ENGINE_PING_SECONDS_MAX: "600", // it is stopped here, not hung
			NODE_OPTIONS: `--import=${join(import.meta.dirname, "fixtures/hold-loop.js")}`,
			HOLD_MS: String(holdMs),
		});
		await manager.waitFor(/^READY=1$/);
		await manager.waitFor(/^WATCHDOG=1$/);
		await manager.waitFor(/^WATCHDOG=1$/, manager.notices.length);
		const engine = await childOf(pid);

		const awake = manager.notices.length; // on a busy machine there may have been trouble before
		process.kill(engine, "SIGSTOP");
		await manager.waitFor(/^STATUS=live engine: no sign of life/, awake);
		await unfed(manager);
		await logged(earshot, /"level":"error".*"unhealthy/);
		process.kill(engine, "SIGCONT");
		await manager.waitFor(/^WATCHDOG=1$/, manager.notices.length);
		t.pass("and again when it is");

		const database = join(earshot.stateDir, "store.mdb");
		const writer = startFixture("hold-write-lock", database);
		if (!writer.stdout) throw new Error("no pipe");
		await once(writer.stdout, "data"); // it holds the lock
		const writable = manager.notices.length;
		await manager.waitFor(/^STATUS=database: a write took longer/, writable);
		await unfed(manager);
		writer.kill("SIGKILL");
		await manager.waitFor(/^WATCHDOG=1$/, manager.notices.length);

		const silent = manager.notices.length;
		const from = earshot.log.length;
		// one that falls into a look itself is not noticed: on a busy machine a look takes long
		const hold = () => process.kill(pid, "SIGUSR2");
		const holding = setInterval(hold, 2 * holdMs);
		t.teardown(() => clearInterval(holding));
		hold();
		await eventually("a block that is noticed", () =>
			earshot.log.slice(from).some((it) => it.includes("loop was blocked")),
		);
		clearInterval(holding);
		await manager.waitFor(/^WATCHDOG=1$/, manager.notices.length);
		const noticesMs = manager.notices.slice(silent - 1).map(({ ms }) => ms);
		const longestMs = Math.max(
			...noticesMs.slice(1).map((ms, i) => ms - (noticesMs[i] as number)),
		);
		t.ok(
			longestMs >= holdMs / 2, // checks are a twelfth of it apart
			`a held loop sent nothing: ${longestMs} ms`,
		);
	},
);

t.test(
	"an engine that does not become ready is never reported as ready, and stopping comes first",
	{ skip: noModel },
	async (t) => {
		const { EARSHOT_MODEL_DIR: all = "", EARSHOT_MODEL_NAME: name = "" } =
			await tinyModel();
		const models = t.testdir();
		symlinkSync(join(all, name), join(models, name)); // alone
		const { manager, earshot } = await managed(t, {
			EARSHOT_MODEL_DIR: models,
			EARSHOT_ENGINE_QUEUE_WAIT_SECONDS: "1", // nobody asks before it ends
		});
		// the first error may only be a timeout
		await shown(earshot, /not ready: .*silero-vad/);
		earshot.process.kill("SIGTERM");
		await manager.waitFor(/^STOPPING=1$/);
		t.equal(manager.count("READY=1"), 0);
	},
);

t.test(
	"without a service manager nothing is loaded and nothing is sent",
	async (t) => {
		const logged: string[] = [];
		const debug = (_: object, message: string) => logged.push(message);
		const nobody = await openServiceManager(debug, {});
		nobody.notify("READY=1");
		t.equal(nobody.watchdogMs, 0);
		t.equal(nobody.isThere, false);
		t.same(logged, []);
	},
);

t.test("a watchdog meant for another process is not ours", async (t) => {
	const environment = { NOTIFY_SOCKET: "/nowhere", WATCHDOG_USEC: "2000000" };
	const open = (more: Record<string, string>) =>
		openServiceManager(() => {}, { ...environment, ...more });
	t.equal((await open({})).watchdogMs, 2000);
	t.equal((await open({ WATCHDOG_PID: String(process.pid) })).watchdogMs, 2000);
	t.equal((await open({ WATCHDOG_PID: "1" })).watchdogMs, 0);
	t.equal((await open({ WATCHDOG_USEC: "soon" })).watchdogMs, 0);
});

t.test(
	"SIGHUP of a closed terminal stops a server that was started there",
	{ skip: noModel || (existsSync("/usr/bin/script") ? false : "no script(1)") },
	async (t) => {
		const main = join(repository, "build/runtime/main.js");
		const terminal = await RunningAppliance.launch(
			{
				EARSHOT_SERVER_DRAIN_SECONDS: "1",
				SHELL: "/bin/sh",
				...(await tinyModel()),
			},
			undefined,
			[
				"/bin/sh",
				"-c",
				// its terminal is connected to us
				`exec script -qefc "exec ${process.execPath} ${main} serve" /dev/null >&2`,
			],
		);
		t.teardown(() => terminal.dispose());
		const server = await childOf(terminal.process.pid as number);
		process.kill(server, "SIGHUP");
		const [code] = await once(terminal.process, "close"); // all that it wrote is here
		t.equal(code, 0);
		t.match(terminal.screen.join("\n"), /stopping/);
	},
);
