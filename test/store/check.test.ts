/** Checking a database before it is opened: as long as the check makes progress, no more than a start needs, and not twice. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
	closeSync,
	existsSync,
	openSync,
	readdirSync,
	readFileSync,
	renameSync,
	statSync,
	writeSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { mock } from "node:test";
import t, { type Test } from "tap";
import { damageOf } from "../../runtime/store/damage-check.js";
import { openStore } from "../../runtime/store/open-store.js";
import { codecOf } from "../../runtime/store/row-codec.js";
import { databasePath } from "../../runtime/store/state-files.js";
import { TaskEditRepository } from "../../runtime/store/task-edits.js";
import { earshotIn } from "../cli/earshot.js";
import { fixturePath, startFixture } from "./children.js";
import { housekeepingOf } from "./housekeeping-of.js";
import { trustingCheck } from "./trusting-check.js";

const language = "en-US";

/** A check that reads rows on command, and a silence timeout that fires on command, or by itself. */
async function checkOnCall(
	t: Test,
	runsOutByItself = false,
	signal?: AbortSignal,
) {
	const pipe = join(t.testdir(), "pipe");
	execFileSync("mkfifo", [pipe]);
	const silences: { runsOut: () => void; isOver: boolean }[] = [];
	const progress: number[] = [];
	let onRow = () => {};
	const verdict = damageOf("store.mdb", {
		checkCommand: {
			file: process.execPath,
			args: [fixturePath("check-on-call"), pipe],
		},
		onProgress: ({ done, total }) => {
			t.equal(total, 1000);
			progress.push(done);
			onRow();
		},
		...(signal && { signal }),
		...(!runsOutByItself && {
			afterSilence: (runsOut: () => void) => {
				const silence = { runsOut, isOver: false };
				silences.push(silence);
				return () => {
					silence.isOver = true;
				};
			},
		}),
	});
	verdict.catch(() => {}); // awaited later
	const rows = await open(pipe, "w"); // when the child reads
	const readRow = async () => {
		const reported = new Promise<void>((resolve) => {
			onRow = resolve;
		});
		await rows.write("x");
		await reported;
	};
	const end = () => rows.close();
	return { verdict, silences, progress, readRow, pipe, end };
}

/** Of a process that has this argument. */
function pidWith(argument: string): string | undefined {
	return readdirSync("/proc").find((pid) => {
		try {
			const line = readFileSync(`/proc/${pid}/cmdline`, "utf8");
			return line.split("\0").includes(argument);
		} catch {
			return false; // no process, or one that has just ended
		}
	});
}

t.test("a check that makes progress is never ended", async (t) => {
	const { verdict, silences, progress, readRow, end } = await checkOnCall(t);
	for (let row = 1; row <= 5; row++) {
		await readRow();
		t.same(
			silences.map((it) => it.isOver),
			[...Array(row).fill(true), false],
			"with each row the silence begins anew",
		);
	}
	await end();
	t.equal(await verdict, undefined, "it is sound");
	t.same(progress, [1, 2, 3, 4, 5]);
	t.ok(silences.every((it) => it.isOver));
});

t.test("drawn audio is sound, here and for version 0.1.0", async (t) => {
	const dir = t.testdir();
	const store = await openStore({ dir, as: "visit" });
	const row = { perSecond: 20, peaks: Uint8Array.of(0, 255, 7) };
	await new TaskEditRepository(store.database).putPeaks("drawn", row);
	await store.close();
	t.equal(await damageOf(databasePath(dir)), undefined);
	const { encode, decode } = codecOf("results.peaks");
	t.same(decode(encode(row)), row);
	t.type(JSON.parse(encode(row).toString()), Array, "0.1.0 reads JSON alone");
	t.same(decode(Buffer.of(20, 0, 255, 7)), row, "of builds since 0.1.0");
});

t.test("a check without progress is ended", async (t) => {
	const { verdict, silences, readRow, end } = await checkOnCall(t);
	await readRow();
	silences.at(-1)?.runsOut();
	await t.rejects(verdict, {
		trouble: "unavailable",
		message: /can't be checked: nothing of it was read for 10 minutes/,
	});
	await end();
});

t.test("a check that is aborted is over when its process is", async (t) => {
	const stop = new AbortController();
	const { verdict, readRow, pipe, end } = await checkOnCall(
		t,
		false,
		stop.signal,
	);
	await readRow();
	const pid = pidWith(pipe);
	t.ok(existsSync(`/proc/${pid}`));
	stop.abort();
	await t.rejects(verdict, {
		trouble: "unavailable",
		message: /can't be checked/,
	});
	t.notOk(existsSync(`/proc/${pid}`), "it might still write a file");
	await end();
});

t.test("a start waits for a card that is busy for minutes", async (t) => {
	t.teardown(() => mock.timers.reset());
	mock.timers.enable({ apis: ["setTimeout"] });
	const { verdict, readRow, end } = await checkOnCall(t, true);
	mock.timers.tick(9 * 60_000);
	await readRow();
	mock.timers.tick(9 * 60_000);
	await end();
	t.equal(await verdict, undefined, "it is sound");
});

/** A store whose lists take this many bytes beside their rows. */
async function withLists(
	dir: string,
	lists: number,
	hasBackup = false,
): Promise<void> {
	const store = await openStore({ dir, as: "serve" });
	for (let list = 0; list < lists; list++) {
		const entries = Array.from(
			{ length: 20_000 },
			(_, it) => `list ${list} word ${it} ${"x".repeat(100)}`,
		);
		const about = { id: `list-${list}`, name: "", language };
		await store.hotwords.create({ ...about, entries }, 1);
	}
	if (hasBackup) {
		const check = { checkCommand: trustingCheck };
		await housekeepingOf(store, dir, { check }).runOnce();
	}
	await store.close();
}

/** Overwrites the middle of a list's entries, like a failing card. */
function forgetEntry(file: string, entry: string): void {
	const at = readFileSync(file).indexOf(entry, 0, "utf16le");
	const descriptor = openSync(file, "r+");
	writeSync(descriptor, Buffer.alloc(8), 0, 8, at);
	closeSync(descriptor);
}

t.test(
	"large rows are left to the backup, which refuses damaged ones; then all are checked",
	async (t) => {
		const dir = join(t.testdir(), "state");
		await withLists(dir, 4, true);
		const file = join(dir, "store.mdb");
		t.ok(statSync(file).size > 18e6, "more than is read at a start");
		forgetEntry(file, "list 3 word 7000 ");
		const store = await openStore({ dir, as: "serve" });
		t.equal(store.repaired, undefined, "it was not checked");
		t.equal(store.hotwords.list().length, 4);
		t.equal(store.hotwords.read("list-2")?.entries.length, 20_000);
		const backup = join(dir, "store.backup.mdb");
		const made = statSync(backup).mtimeMs;
		const skipped: string[] = [];
		await housekeepingOf(store, dir, {
			onSkipped: ({ trouble, message }) => skipped.push(trouble, message),
		}).runOnce();
		t.match(skipped, ["damaged", /has unreadable rows, so no copy/]);
		t.equal(statSync(backup).mtimeMs, made, "the one of before is kept");
		await store.close();
		const again = await openStore({ dir, as: "serve" });
		t.equal(again.repaired?.fromBackup, true);
		t.equal(again.hotwords.read("list-3")?.entries.length, 20_000);
		forgetEntry(file, "list 1 word 7000 ");
		t.throws(() => again.hotwords.read("list-1"), /is damaged/);
		await again.close();
		const third = await openStore({ dir, as: "serve" });
		t.equal(third.repaired?.fromBackup, true, "who met it left word");
		await third.close();
		const fourth = await openStore({ dir, as: "serve" });
		t.equal(fourth.repaired, undefined, "and that was followed up");
		await fourth.close();
	},
);

t.test(
	"the command line does not check a store that its running server has checked",
	async (t) => {
		const dir = join(t.testdir(), "state");
		await withLists(dir, 1);
		const server = startFixture("serve-lock", dir);
		t.teardown(() => server.kill("SIGKILL"));
		await once(server.stdout ?? server, "data");
		forgetEntry(join(dir, "store.mdb"), "list 0 word 7000 ");
		t.match(await earshotIn(dir, "token", "list"), { code: 0, err: "" });
		server.kill("SIGKILL");
		await once(server, "close");
		t.match(await earshotIn(dir, "token", "list"), {
			code: 1,
			err: /store\.mdb is damaged .* start the server/,
		});
	},
);

t.test("it does not trust a server that is still checking", async (t) => {
	const dir = join(t.testdir(), "state");
	await withLists(dir, 1);
	const file = join(dir, "store.mdb");
	forgetEntry(file, "list 0 word 7000 ");
	const pipe = join(t.testdirName, "pipe");
	execFileSync("mkfifo", [pipe]);
	const serving = openStore({
		dir,
		as: "serve",
		checkCommand: {
			file: process.execPath,
			args: [fixturePath("check-on-call"), pipe],
		},
	});
	const rows = await open(pipe, "w");
	t.match(await earshotIn(dir, "token", "list"), {
		code: 1,
		err: /is damaged/,
	});
	renameSync(file, `${file}.elsewhere`);
	await rows.close();
	await (await serving).close();
});
