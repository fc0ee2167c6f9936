/** The real program on a machine whose clock was wrong until now, and on one whose clock leaps into the future (libfaketime, where it is installed). */
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t from "tap";
import { thisMachine } from "../../runtime/clock/machine-time.js";
import { openStore } from "../../runtime/store/open-store.js";
import { openTaskStore } from "../../runtime/tasks/task-store.js";
import { day } from "../clock/fake-machine.js";
import { plainOptions } from "../tasks/plain-options.js";
import { RunningAppliance } from "./running-appliance.js";
import { tinyModel } from "./tiny-model.js";

const libfaketime = ["x86_64", "aarch64"]
	.map((it) => `/usr/lib/${it}-linux-gnu/faketime/libfaketimeMT.so.1`)
	.find((it) => existsSync(it));
const inForty = {
	LD_PRELOAD: libfaketime ?? "",
	FAKETIME: "+40d",
	FAKETIME_DONT_FAKE_MONOTONIC: "1", // the kernel's other clock is nobody's to set
};
const id = "task-of-a-device-without-a-clock";

/** A state as a device leaves it that ran without a right clock: its task was finished a minute ago, and says that it was forty days. */
async function leftState(): Promise<{ dir: string; token: string }> {
	const dir = mkdtempSync(join(tmpdir(), "earshot-e2e-"));
	const store = await openStore({ dir, as: "serve" });
	const { boot, upSeconds, wallSeconds } = thisMachine.read();
	const thenSeconds = wallSeconds - 40 * day - 60;
	await store.clock.write({
		boot,
		upSeconds: upSeconds - 60,
		wallSeconds: thenSeconds,
		operatingSeconds: 1000,
		offTimes: [],
		heldUntilSeconds: 0,
		baseSeconds: thenSeconds - 1000,
		verified: { operatingSeconds: 0, wallSeconds: thenSeconds - 1000 },
	});
	const { tasks } = openTaskStore(store.database);
	await tasks.load();
	const row = {
		id,
		owner: "token:kiosk" as const,
		order: 1,
		vip: false,
		notes: [],
		fileName: "a.wav",
		audioId: "none",
		audioMs: 1000,
		state: "failed" as const,
		insertSeconds: thenSeconds,
		finishSeconds: thenSeconds,
		finishOperatingSeconds: 1000,
		failure: { status: "220500", message: "it was silent" },
	};
	await tasks.add(row, plainOptions);
	const { token } = await store.tokens.create({
		name: "kiosk",
		scopes: ["asr", "files"],
		ttlSeconds: 7 * day,
		nowSeconds: wallSeconds,
		operatingSeconds: 1060,
	});
	await store.close();
	return { dir, token };
}

async function isKept(dir: string): Promise<boolean> {
	const store = await openStore({ dir, as: "visit" });
	const { tasks } = openTaskStore(store.database);
	await tasks.load();
	const row = tasks.find(id);
	await store.close();
	return row !== undefined;
}

t.test("a clock that jumps takes nothing away", async (t) => {
	const { dir, token } = await leftState();
	const seen = async (environment: Record<string, string>) => {
		const earshot = await RunningAppliance.launch(
			{ ...(await tinyModel()), ...environment },
			dir,
		);
		t.teardown(() => earshot.dispose());
		const ask = async (path: string) => {
			const headers = { authorization: `Bearer ${token}` };
			return (await fetch(earshot.url + path, { headers })).json();
		};
		const result = await ask(`/v1/asrfile/result?task_id=${id}`);
		const answer = {
			task: (result as { status: string }).status,
			token: ((await ask("/v1/asrfile/tasks")) as { status: string }).status,
			counts: await earshot.metric("earshot_clock_ages_counted"),
			trusted: await earshot.metric("earshot_clock_trusted"),
			health: await (await fetch(`${earshot.url}/healthz`)).text(),
			log: earshot.log.filter((it) => it.includes("system clock jumped"))
				.length,
		};
		await earshot.stop(); // the sweep that was begun at the start is over
		return { ...answer, isKept: await isKept(dir) };
	};
	const doubts = {
		isKept: true,
		counts: 0,
		trusted: 0,
		health: /the clock jumped by more than a day/,
	};
	t.match(
		await seen({}),
		{ ...doubts, log: 1, task: "220500", token: "000000" },
		"it was forty days behind until now",
	);
	if (!libfaketime) return t.comment("libfaketime is not installed");
	t.match(
		await seen(inForty),
		{ ...doubts, log: 1, task: "220500", token: "110002" },
		"forty days ahead: what may have expired is refused",
	);
	t.match(
		await seen({}),
		{ ...doubts, task: "220500", token: "000000" },
		"and is good again",
	);
});
