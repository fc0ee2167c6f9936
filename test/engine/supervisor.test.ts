import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import t from "tap";
import { engineHealth } from "../../runtime/engine/health.js";
import { EngineSupervisor } from "../../runtime/engine/supervisor.js";
import { localDevice } from "../../runtime/session/lane-port.js";
import { eventually } from "../fixtures/eventually.js";
import {
	eventsOf,
	fakeLane,
	options,
	order,
	rejectsWith,
	settings,
	textOf,
} from "./fake-lane.js";

const scratch = mkdtempSync(join(tmpdir(), "earshot-test-"));

/** Node takes seconds to start on a busy machine, and five deaths count within a minute. */
const diesAtOnce = { file: "/bin/sh", args: ["-c", "exit 7"] };

t.test("an engine is healthy only when it is ready", async (t) => {
	const { supervisor } = fakeLane(t);
	t.equal(engineHealth(supervisor.state).ok, false);
	supervisor.start();
	t.match(
		engineHealth(supervisor.state),
		{ ok: false, code: "engine-starting" },
		"starting is not ready",
	);
	await supervisor.engine();
	t.same(engineHealth(supervisor.state), {
		ok: true,
		lane: "live",
		says: "recognized its probe clip correctly",
		code: "engine-ready",
		values: {},
		model: "fake",
		restarts: 0,
	});
});

t.test("a killed engine is replaced at once", async (t) => {
	const { supervisor, lane, lines, logged } = fakeLane(t);
	const first = await supervisor.engine();
	const recognition = await lane.open(options, localDevice);
	order(recognition, "log");
	await logged("as told");
	recognition.cancel();
	process.kill(first.pid as number, "SIGKILL");
	await logged("engine died");
	const died = lines.find((it) => it.message === "engine died");
	t.match(died?.fields, { childPid: first.pid });
	const told = lines.find((it) => it.message === "as told");
	t.match(told?.fields, { childPid: first.pid });
	t.notOk(
		lines.some(({ fields }) => "pid" in fields),
		"each line has the appliance's own pid: collectors refuse JSON with one name twice",
	);
	const second = await supervisor.engine();
	t.not(second.pid, first.pid);
	t.match(supervisor.state, {
		deaths: 1,
		restarts: 1,
		lastDeath: "signal SIGKILL",
	});
});

t.test("an engine that hangs is killed and replaced", async (t) => {
	const { supervisor, lane, logged } = fakeLane(t, {
		limits: { pingMsMax: 500 },
	});
	const first = await supervisor.engine();
	const recognition = await lane.open(options, localDevice);
	order(recognition, "final", "hang");
	await rejectsWith(t, eventsOf(recognition), { status: "100003" });
	await logged("engine died");
	t.match(supervisor.state.lastDeath, /hung/);
	t.not((await supervisor.engine()).pid, first.pid);
});

t.test("an engine that does not get ready in time is killed", async (t) => {
	const { supervisor, logged } = fakeLane(t, {
		environment: { FAKE_READY_MS: "600000" },
		limits: { readyMsMax: 100 },
	});
	supervisor.start();
	await logged("engine died");
	t.equal(supervisor.state.lastDeath, "not ready in time");
});

t.test(
	"a processor that an engine dies of is not used by the next one",
	async (t) => {
		const { supervisor, lines } = fakeLane(t, {
			environment: { FAKE_TRIES: "webgpu" },
		});
		await supervisor.engine();
		t.match(engineHealth(supervisor.state), {
			ok: true,
			says: /graph.onnx runs on cpu, not on webgpu: an engine died of it .*: signal SIGSEGV/,
		});
		t.match(
			lines.filter(({ message }) => message === "a processor is not used"),
			[{ fields: { processor: "webgpu", used: "cpu" } }],
		);
		await supervisor.replaceWith(settings);
		t.equal(supervisor.state.deaths, 1, "nor by one with other settings");
	},
);

t.test("a replacement engine may die of a processor", async (t) => {
	const { supervisor } = fakeLane(t, {
		environment: { FAKE_TRIES: "webgpu" },
	});
	await supervisor.replaceWith(settings);
	t.match(engineHealth(supervisor.state), {
		ok: true,
		says: /not on webgpu/,
		code: "engine-ready",
		values: { details: [/not on webgpu/] },
	});
});

t.test(
	"after five deaths in a minute it backs off, and health reports that",
	async (t) => {
		const { supervisor, lane, logged } = fakeLane(t, {
			command: diesAtOnce,
			limits: { waitMsMax: 1000 },
		});
		const sinceMs = performance.now();
		supervisor.start();
		await logged("engine keeps dying; waiting before the next start");
		const { state } = supervisor;
		t.match(state, {
			phase: "backing-off",
			deaths: 5,
			lastDeath: "exit code 7",
		});
		const health = engineHealth(state);
		t.equal(health.ok, false);
		const { seconds = 0 } = health.values;
		t.match(health, {
			says: `keeps dying (exit code 7); next try in ${seconds} s`,
			code: "engine-dying",
			values: { reason: "exit code 7" },
		});
		const passed = (performance.now() - sinceMs) / 1000;
		t.ok(seconds >= 60 - passed && seconds <= 60, `${seconds} s`);
		const refused = lane.open(options, localDevice);
		await rejectsWith(t, refused, { status: "100004" });
		const { retryAfterSeconds } = await refused.catch((it) => it);
		t.ok(retryAfterSeconds > 1 && retryAfterSeconds <= seconds);
	},
);

t.test("an engine that can't start reports why", async (t) => {
	const { supervisor, logged } = fakeLane(t, {
		environment: { FAKE_BROKEN: "no model there" },
	});
	supervisor.start();
	await logged("engine died");
	t.equal(supervisor.state.lastDeath, "no model there");
});

t.test(
	"after the pause it is tried again; the pause doubles each time",
	async (t) => {
		const { supervisor, lines, logged } = fakeLane(t, {
			command: diesAtOnce,
			limits: { backOffMs: 10 },
		});
		supervisor.start();
		await logged("engine keeps dying; waiting before the next start", 3);
		const pauses = lines
			.filter((it) => it.message.includes("keeps dying"))
			.map((it) => (it.fields as { pauseMs: number }).pauseMs);
		t.same(pauses.slice(0, 3), [10, 20, 40]);
	},
);

t.test("a missing program counts as a death, not a crash", async (t) => {
	const missing = new EngineSupervisor(
		{ file: "/nowhere/earshot", args: [] },
		// @ts-expect-error never read
		{},
		{
			readyMsMax: 240_000,
			pingMs: 1000,
			pingMsMax: 240_000,
			rssBytesMax: 0,
			usedMsMin: 0,
			waitMsMax: 50_000, // nobody waits for so long a pause
			backOffMs: 60_000,
		},
		{ debug() {}, info() {}, warn() {}, error() {} },
	);
	t.teardown(() => missing.stop(0));
	await rejectsWith(t, missing.engine(), { status: "100004" });
	t.match(missing.state.lastDeath, /can't be started: .*ENOENT/);
});

t.test(
	"an engine with too much memory is replaced when it is idle, not before",
	async (t) => {
		const { supervisor, lane, logged } = fakeLane(t, {
			environment: { FAKE_RSS: "2000000" },
		});
		const recognition = await lane.open(options, localDevice);
		const first = await supervisor.engine();
		await eventually("its load", () => first.load);
		t.equal((await supervisor.engine()).pid, first.pid, "busy: it stays");
		recognition.finish();
		await eventsOf(recognition);
		await logged("restarting engine: it uses too much memory");
		await first.exited;
		t.equal(supervisor.state.deaths, 0, "that is no death");
	},
);

t.test(
	"an engine on demand starts when needed and stops when idle",
	async (t) => {
		const { supervisor, lane, state } = fakeLane(t, {
			limits: { idleMsMax: 50 },
		});
		t.match(engineHealth(supervisor.state), { ok: true, lane: "live" });
		for (let round = 1; round <= 2; round++) {
			const recognition = await lane.open(options, localDevice);
			recognition.finish();
			await eventsOf(recognition);
			await state((it) => it.phase === "down");
		}
		t.match(supervisor.state, { restarts: 1, deaths: 0 });
		t.equal(engineHealth(supervisor.state).ok, true);
	},
);

t.test("a stop lets open recognitions end, then nothing starts", async (t) => {
	const { supervisor, lane } = fakeLane(t);
	const engine = await supervisor.engine();
	await supervisor.stop(20_000);
	t.same(await engine.exited, { requested: true, reason: "exit code 0" });
	t.equal(supervisor.state.phase, "stopped");
	await rejectsWith(t, lane.open(options, localDevice), { status: "100004" });
});

t.test("an engine that dies while it is stopping is logged", async (t) => {
	const { supervisor, lane, lines, logged } = fakeLane(t);
	const engine = await supervisor.engine();
	await lane.open(options, localDevice); // it waits for its end
	supervisor.restart();
	process.kill(engine.pid as number, "SIGSEGV");
	await logged("engine died while it was stopping");
	t.match(
		lines.find(({ level }) => level === "error"),
		{ fields: { childPid: engine.pid, reason: "signal SIGSEGV" } },
	);
	t.equal(supervisor.state.deaths, 0, "another has taken its place");
	const second = await supervisor.engine();
	const third = await lane.open(options, localDevice);
	await supervisor.stop(0);
	t.match(await second.exited, { requested: true, reason: "did not drain" });
	third.cancel();
	t.equal(
		lines.filter(({ level }) => level === "error").length,
		1,
		"one that is ended by force is no crash",
	);
});

t.test("a request is retried once when its engine dies early", async (t) => {
	const { lane, supervisor } = fakeLane(t);
	const recognition = await lane.open(options, localDevice);
	order(recognition, "hello", "begin", `die-once:${scratch}/a`, "world");
	recognition.finish();
	const events = await eventsOf(recognition);
	t.equal(textOf(events), "hello begin die-once world");
	t.same(
		events.map((it) => it.is),
		["speech-begin", "completed"],
		"what was announced is not announced again",
	);
	t.equal(supervisor.state.deaths, 1);
	t.equal(lane.state.busy, 0);
});

t.test("a request is not retried twice", async (t) => {
	const { lane, supervisor } = fakeLane(t);
	const recognition = await lane.open(options, localDevice);
	order(recognition, "die");
	await rejectsWith(t, eventsOf(recognition), { status: "100003" });
	t.equal(supervisor.state.deaths, 2);
	t.equal(lane.state.busy, 0);
});

t.test("after an emitted final a request is not retried", async (t) => {
	const { lane, supervisor } = fakeLane(t);
	const recognition = await lane.open(options, localDevice);
	order(recognition, "final", "die");
	const emitted: string[] = [];
	await rejectsWith(
		t,
		(async () => {
			for await (const event of recognition.events) emitted.push(event.is);
		})(),
		{ status: "100003" },
	);
	t.same(emitted, ["final"]);
	t.equal(supervisor.state.deaths, 1);
});

t.test("a request with more audio than is kept is not retried", async (t) => {
	const { lane, supervisor } = fakeLane(t, { retryBytesMax: 10 });
	const recognition = await lane.open(options, localDevice);
	order(recognition, "eleven bytes", `die-once:${scratch}/b`);
	await rejectsWith(t, eventsOf(recognition), { status: "100003" });
	t.equal(supervisor.state.deaths, 1);
});

t.test("an engine whose parent dies exits", async (t) => {
	const parent = spawn(
		process.execPath,
		[fileURLToPath(new URL("../fixtures/lonely-parent.js", import.meta.url))],
		{ stdio: ["ignore", "pipe", "inherit"] },
	);
	const pid = Number(
		await new Promise<string>((resolve) =>
			parent.stdout.once("data", (data) => resolve(String(data))),
		),
	);
	t.ok(isAlive(pid));
	parent.kill("SIGKILL");
	await eventually(`${pid} to go`, () => !isAlive(pid));
	t.pass("it is gone");
});

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

t.test(
	"another model takes over once its probe succeeds; open recognitions run to their end",
	async (t) => {
		// only of a restart
		const { supervisor, lane, logged } = fakeLane(t, {
			limits: { drainMsMax: 0 },
		});
		const first = await supervisor.engine();
		const streamed = { ...options, streamed: true };
		const recognition = await lane.open(streamed, localDevice);
		const events = eventsOf(recognition);
		await supervisor.replaceWith({ ...settings, modelFolder: "other" });
		const second = await supervisor.engine();
		t.not(second.pid, first.pid);
		t.match(supervisor.state, {
			phase: "ready",
			identity: { model: "other" },
			deaths: 0,
		});
		order(recognition, "goes", "on");
		recognition.finish();
		t.equal(textOf(await events), "goes on");
		process.kill(second.pid as number, "SIGKILL");
		await logged("engine died");
		const third = await supervisor.engine();
		t.not(third.pid, second.pid);
	},
);

t.test(
	"an engine on demand that is starting is replaced by one with the other model",
	async (t) => {
		const { supervisor } = fakeLane(t, { limits: { idleMsMax: 600_000 } });
		const waiting = supervisor.engine();
		await supervisor.replaceWith({ ...settings, modelFolder: "other" });
		const engine = await waiting;
		t.match(supervisor.state, {
			phase: "ready",
			identity: { model: "other" },
			deaths: 0,
			restarts: 1,
		});
		t.equal((await supervisor.engine()).pid, engine.pid);
	},
);

t.test("a model that fails its probe changes nothing", async (t) => {
	const { supervisor } = fakeLane(t);
	const first = await supervisor.engine();
	await t.rejects(
		supervisor.replaceWith({ ...settings, modelFolder: "deaf" }),
		{ message: /it hears nothing/ },
	);
	t.equal((await supervisor.engine()).pid, first.pid);
	t.match(supervisor.state, { identity: { model: "fake" }, deaths: 0 });
	process.kill(first.pid as number, "SIGKILL");
	await eventually("its death", () => supervisor.state.deaths);
	await supervisor.engine();
	t.match(supervisor.state.identity, { model: "fake" }, "nor what comes next");
});
