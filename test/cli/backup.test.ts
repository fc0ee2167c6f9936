import { execFileSync } from "node:child_process";
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { basename, join } from "node:path";
import t, { type Test } from "tap";
import { restoreBackup, writeBackup } from "../../runtime/store/backup.js";
import { openStore } from "../../runtime/store/open-store.js";
import { eventually } from "../fixtures/eventually.js";
import { onSmallDisk, skipMounts } from "../fixtures/small-disk.js";
import { fixturePath, startFixture } from "../store/children.js";
import { housekeepingOf } from "../store/housekeeping-of.js";
import { trustingCheck } from "../store/trusting-check.js";
import { earshotIn, ended, main } from "./earshot.js";

/** Of what a test itself fills and reads. */
const checkCommand = trustingCheck;
const list = { name: "n", language: "en-US" };

async function filled(dir: string, entries: readonly string[]) {
	const store = await openStore({ dir, as: "visit", checkCommand });
	await store.hotwords.create({ ...list, id: "kept", entries }, 1);
	await store.close();
}

/** As by its server, which has checked it: commands beside it do not. */
async function served(t: Test, dir: string, entries: readonly string[]) {
	const store = await openStore({ dir, as: "serve", checkCommand });
	t.teardown(() => store.close());
	await store.hotwords.create({ ...list, id: "kept", entries }, 1);
	return store;
}

async function entriesIn(dir: string): Promise<readonly string[] | undefined> {
	const store = await openStore({ dir, as: "serve", checkCommand });
	const entries = store.hotwords.read("kept")?.entries;
	await store.close();
	return entries;
}

async function backUp(dir: string, file: string): Promise<void> {
	const store = await openStore({ dir, as: "visit", checkCommand });
	const check = { checkCommand };
	try {
		await writeBackup(store.database, file, { reserveBytes: 0, check });
	} finally {
		await store.close();
	}
}

t.test("the database itself is not replaced by its copy", async (t) => {
	const dir = t.testdir();
	await served(t, dir, ["first"]);
	const path = join(dir, "store.mdb");
	const { ino } = statSync(path);
	t.match(await earshotIn(dir, "backup", path, "--force"), {
		code: 1,
		err: /store\.mdb is the database itself/,
	});
	t.equal(statSync(path).ino, ino, "a running server keeps its file");
});

t.test("a backup is restored, and the previous state is kept", async (t) => {
	const dir = join(t.testdir(), "state");
	const file = join(t.testdirName, "copy.mdb");
	t.match(await earshotIn(dir, "backup", file), {
		code: 2,
		err: /has no database to copy/,
	});
	t.notOk(existsSync(dir), "and nothing is made");
	await filled(dir, ["first"]);
	t.match(await earshotIn(dir, "backup", file), { code: 0, out: /^copied to/ });
	t.equal(statSync(file).mode & 0o777, 0o600);
	const store = await openStore({ dir, as: "visit", checkCommand });
	const change = async () => ({ entries: ["second"] });
	await store.hotwords.change("kept", change, () => 2);
	await store.close();
	t.match(await earshotIn(dir, "backup", file), {
		code: 2,
		err: /already exists; use --force to replace it/,
	});
	const restored = await earshotIn(dir, "restore", file);
	t.match(restored, { code: 0, out: /restored .* from/ });
	t.match(restored.out, /tokens revoked since/);
	t.same(await entriesIn(dir), ["first"]);
	const before =
		/the earlier state is kept in: (.*)/.exec(restored.out)?.[1] ?? "";
	const other = join(t.testdirName, "other");
	mkdirSync(other);
	copyFileSync(before, join(other, "store.mdb"));
	t.same(await entriesIn(other), ["second"]);
	const left = readdirSync(t.testdirName).filter((it) => /copy/.test(it));
	t.same(left, ["copy.mdb"], "no traces beside it");
	const names = readdirSync(dir).filter((it) => /restoring|\.new/.test(it));
	t.same(names, []);
});

t.test(
	"a backup during many writes has every change acknowledged before it",
	async (t) => {
		const dir = join(t.testdir(), "state");
		mkdirSync(dir);
		const writer = startFixture("write-lists", join(dir, "store.mdb"));
		t.teardown(() => writer.kill("SIGKILL"));
		let text = "";
		writer.stdout?.on("data", (bytes: Buffer) => {
			text += bytes.toString();
		});
		const linesOf = () => text.split("\n").slice(1, -1);
		await eventually("some changes", () => linesOf().length > 50);
		const before = linesOf();
		const file = join(t.testdirName, "copy.mdb");
		t.match(await earshotIn(dir, "backup", file), { code: 0 });
		const during = linesOf();
		writer.kill("SIGKILL"); // it takes a core
		const copy = join(t.testdirName, "restored");
		mkdirSync(copy);
		copyFileSync(file, join(copy, "store.mdb"));
		const store = await openStore({ dir: copy, as: "serve", checkCommand });
		t.teardown(() => store.close());
		for (const id of ["a", "b", "c"]) {
			const { row, entries = [] } = store.hotwords.read(id) ?? {};
			t.equal(row?.amount ?? 0, entries.length);
			t.same(
				entries,
				Array.from(entries, (_, index) => `${index}`),
			);
			// the lines of each list in order: the copy ends somewhere between the last line before and the first one after
			const lines = (all: readonly string[]) =>
				all.filter((it) => it.startsWith(`${id} `)).map((it) => it.slice(2));
			const from = lines(before).length - 1;
			const seen = lines(during).slice(Math.max(0, from));
			const last = entries.length === 0 ? "gone" : `${entries.length - 1}`;
			// created again, a list starts from the beginning
			const newest = seen.at(-1);
			const next = newest === "gone" ? "0" : `${Number(newest) + 1}`;
			t.ok(
				[...seen, next, "gone", ...(from < 0 ? ["0"] : [])].includes(last),
				`${id}: ${last} in ${seen.slice(-20).join(" ")}`,
			);
		}
	},
);

t.test("nothing is restored under a running server", async (t) => {
	const dir = join(t.testdir(), "state");
	const file = join(t.testdirName, "copy.mdb");
	const { database } = await served(t, dir, ["first"]);
	await writeBackup(database, file, {
		reserveBytes: 0,
		check: { checkCommand },
	});
	const before = readdirSync(dir).sort();
	t.match(await earshotIn(dir, "restore", file), {
		code: 1,
		err: /already uses /,
	});
	t.match(await earshotIn(dir, "backup", "--force", file), { code: 0 });
	t.same(readdirSync(dir).sort(), before);
});

t.test("a damaged backup is refused, and nothing changes", async (t) => {
	const dir = join(t.testdir(), "state");
	const file = join(t.testdirName, "copy.mdb");
	await filled(
		dir,
		Array.from({ length: 5000 }, (_, it) => `word ${it}`),
	);
	await backUp(dir, file);
	const before = readFileSync(join(dir, "store.mdb"));
	const whole = readFileSync(file);
	const size = whole.length;
	const damages: Record<string, () => void> = {
		"cut in half": () => truncateSync(file, size / 2),
		empty: () => writeFileSync(file, ""),
		"zeroed inside": () =>
			writeFileSync(file, Buffer.from(whole).fill(0, 8192)),
	};
	for (const [name, damage] of Object.entries(damages)) {
		writeFileSync(file, whole);
		damage();
		const trouble = name === "empty" ? "unavailable" : "damaged";
		await t.rejects(restoreBackup(dir, file), {
			trouble,
			message: /copy\.mdb/,
		});
		t.ok(readFileSync(join(dir, "store.mdb")).equals(before), name);
		t.notMatch(readdirSync(dir).join(), /restor/);
	}
	writeFileSync(file, "not a database");
	t.same(await earshotIn(dir, "restore", file), {
		code: 1,
		out: "",
		err: `earshot: ${file} can't be restored: it is no backup that earshot made, or its beginning is damaged\n`,
	});
	t.ok(readFileSync(join(dir, "store.mdb")).equals(before), "of text");
	t.notMatch(readdirSync(dir).join(), /restor/);
	await t.rejects(restoreBackup(dir, `${file}.nowhere`), {
		name: "StoreError",
		message: /does not exist or is empty/,
	});
	for (const nowhere of [join(file, "inside"), join(dir, "no", "folder")])
		await t.rejects(backUp(dir, nowhere), {
			name: "StoreError",
			message: /^the folder .* does not exist$/,
		});
});

/** @param dir of the state. */
function withRoomFor(
	bytes: number,
	at: string,
	dir: string,
	command: readonly string[],
) {
	const [file, ...words] = onSmallDisk(at, `size=${bytes}`, command);
	return ended(file, words, { EARSHOT_STATE_DIR: dir });
}

const earshotCommand = (...words: string[]) => [
	process.execPath,
	main,
	...words,
];

t.test(
	"a backup without enough disk space is not begun, and the numbers are reported",
	{ skip: skipMounts },
	async (t) => {
		const dir = join(t.testdir({ disk: {} }), "state");
		const disk = join(t.testdirName, "disk");
		await filled(
			dir,
			Array.from({ length: 20_000 }, (_, it) => `${"word ".repeat(20)}${it}`),
		);
		const copy = join(disk, "copy.mdb");
		const { size } = statSync(join(dir, "store.mdb"));
		const backup = (bytes: number) =>
			withRoomFor(bytes, disk, dir, earshotCommand("backup", copy));
		t.match(await backup(size - 16_384), {
			code: 1,
			out: /^$/,
			err: /^earshot: .*copy\.mdb can't be written: it needs \d+\.\d MiB; \d+\.\d MiB are free in .*disk\n$/,
		});
		t.match(await backup(size + 65_536), { code: 0, out: /copy\.mdb\n$/ });
		const file = join(t.testdirName, "whole.mdb");
		await backUp(dir, file);
		const restore = earshotCommand("restore", file);
		t.match(await withRoomFor(size / 2, disk, disk, restore), {
			code: 1,
			err: /whole\.mdb can't be restored: it needs \d+\.\d MiB; \d+\.\d MiB are free/,
		});
	},
);

t.test(
	"a damaged database is kept in place until there is room for its backup",
	{ skip: skipMounts },
	async (t) => {
		const dir = join(t.testdir({ disk: {} }), "state");
		const disk = join(t.testdirName, "disk");
		await filled(
			dir,
			Array.from({ length: 20_000 }, (_, it) => `${"word ".repeat(20)}${it}`),
		);
		await backUp(dir, join(dir, "store.backup.mdb"));
		const file = join(dir, "store.mdb");
		const { size } = statSync(file);
		truncateSync(file, size / 2);
		const start = 'cp "$0"/*.mdb "$1" && exec "$2" "$3" "$1"';
		const server = [process.execPath, fixturePath("serve-lock")];
		const ran = await withRoomFor(2 * size, disk, dir, [
			...["sh", "-c", start, dir, disk, ...server],
		]);
		t.match(ran, {
			code: 1,
			err: /store\.mdb is damaged, and its backup can't be restored: it needs \d+\.\d MiB; \d+\.\d MiB are free/,
		});
		t.match(ran.out, /^store\.backup\.mdb\n/);
		t.match(ran.out, /^store\.mdb$/m);
		t.notMatch(ran.out, /damaged|restoring/);
	},
);

t.test("on the disk of the database a backup leaves the reserve", async (t) => {
	const dir = join(t.testdir(), "state");
	await served(t, dir, ["first"]);
	const reserve = "files.disk_reserve_megabytes=1073741824";
	const file = join(dir, "copy.mdb");
	t.match(await earshotIn(dir, "--set", reserve, "backup", file), {
		code: 1,
		err: /can't be written: it needs 0\.\d MiB and 1073741824\.0 MiB must stay free \(files\.disk_reserve_megabytes\); \d+\.\d MiB are free/,
	});
	t.notOk(existsSync(file));
});

t.test("two backups at once do not touch each other", async (t) => {
	const dir = join(t.testdir(), "state");
	await filled(dir, ["first"]);
	const backup = join(dir, "store.backup.mdb");
	const others = `${backup}.${process.ppid}.new`;
	const killed = [`${backup}.4194305.new`, `${backup}.4194305.new-lock`]; // no process has such a number
	for (const name of [others, ...killed]) writeFileSync(name, "unfinished");
	await backUp(dir, backup);
	t.same(
		readdirSync(dir).filter((it) => it.includes("backup")),
		["store.backup.mdb", basename(others)],
	);
});

t.test("only what earshot left is removed", async (t) => {
	const dir = join(t.testdir({ other: {} }), "state");
	await filled(dir, ["first"]);
	const other = join(t.testdirName, "other");
	const strangers = ["db.new", "db.new-lock", "db.1.newer", "db.old"];
	const killed = ["db.4194305.new", "db.4194305.new-lock"]; // no process has such a number
	for (const folder of [dir, other])
		for (const name of [...strangers, ...killed])
			writeFileSync(join(folder, name), "x".repeat(4096));
	const left = (folder: string) =>
		readdirSync(folder).filter((it) => it.startsWith("db"));

	const store = await openStore({ dir, as: "visit", checkCommand });
	t.teardown(() => store.close());
	const backUpInto = (folder: string, free: number) =>
		writeBackup(store.database, join(folder, "db"), {
			reserveBytes: 0,
			freeBytes: async () => free,
			check: { checkCommand },
		});
	for (const folder of [dir, other]) {
		await t.rejects(backUpInto(folder, 0), {
			message: /can.t be written: it needs/,
		});
		t.same(left(folder), [...killed, ...strangers].sort(), "nothing before");
	}
	const { size } = statSync(join(dir, "store.mdb"));
	await backUpInto(other, size - 2 * 4096);
	t.same(left(other), ["db", ...strangers].sort(), "and its place is used");
	await backUpInto(dir, size);
	// nobody else writes there: they are of an earlier version
	t.same(left(dir), ["db", "db.1.newer", "db.old"]);
});

t.test("a stop does not wait until a backup has been checked", async (t) => {
	const dir = join(t.testdir(), "state");
	await filled(dir, ["first"]);
	const pipe = join(t.testdirName, "pipe");
	execFileSync("mkfifo", [pipe]);
	const store = await openStore({ dir, as: "serve", checkCommand });
	t.teardown(() => store.close());
	const housekeeping = housekeepingOf(store, dir, {
		check: {
			checkCommand: {
				file: process.execPath,
				args: [fixturePath("check-on-call"), pipe],
			},
		},
	});
	housekeeping.start();
	const rows = await open(pipe, "w"); // it is being read
	t.teardown(() => rows.close());
	await housekeeping.stop();
	t.same(
		readdirSync(dir).filter((it) => it.includes("backup")),
		[],
		"and leaves nothing",
	);
});

t.test("a server that dies soon after each start copies nothing", async (t) => {
	const dir = join(t.testdir(), "state");
	await filled(dir, ["first"]);
	const store = await openStore({ dir, as: "serve", checkCommand });
	t.teardown(() => store.close());
	let begun = 0;
	const freeBytes = async () => {
		begun++;
		return 1e9;
	};
	const started = (firstRoundMs: number) => {
		const housekeeping = housekeepingOf(store, dir, {
			firstRoundMs,
			freeBytes,
			check: { checkCommand },
		});
		housekeeping.start();
		return housekeeping;
	};
	const first = started(600_000);
	await eventually(
		"a first backup at once",
		() => first.backup.madeSeconds !== undefined,
	);
	await first.stop();
	await started(600_000).stop();
	t.equal(begun, 1, "that one is kept");
	const later = started(1);
	await eventually("another one", () => begun === 2);
	await later.stop();
});

t.test("the appliance's own backup waits until there is room", async (t) => {
	const dir = join(t.testdir(), "state");
	await filled(dir, ["first"]);
	const store = await openStore({ dir, as: "serve", checkCommand });
	t.teardown(() => store.close());
	let free = 1000;
	const messages: string[] = [];
	const housekeeping = housekeepingOf(store, dir, {
		freeBytes: async () => free,
		onSkipped: ({ message }) => messages.push(message),
	});
	t.same(housekeeping.backup, { madeSeconds: undefined, skipped: undefined });
	await housekeeping.runOnce();
	t.match(messages, [
		/store\.backup\.mdb can't be written: .* 0\.0 MiB are free/,
	]);
	t.same(housekeeping.backup, { madeSeconds: undefined, skipped: messages[0] });
	t.same(
		readdirSync(dir).filter((it) => it.includes("backup")),
		[],
	);
	free = 1e9;
	await housekeeping.runOnce();
	t.equal(housekeeping.backup.skipped, undefined);
	t.type(housekeeping.backup.madeSeconds, "number");
	t.type(housekeepingOf(store, dir).backup.madeSeconds, "number", "nor later");
	free = 0;
	await housekeeping.runOnce(); // the next one is due in a day
	t.equal(messages.length, 1);
});

t.test(
	"rows that can't be removed do not keep it from the backup",
	async (t) => {
		const dir = join(t.testdir(), "state");
		await filled(dir, ["first"]);
		const store = await openStore({ dir, as: "serve", checkCommand });
		t.teardown(() => store.close());
		for (const table of ["nonces", "tokens"])
			await store.database.table<null>(table).put("damaged", null);
		const free = async () => 0;
		const housekeeping = housekeepingOf(store, dir, {
			freeBytes: free,
			onSkipped: () => {},
		});
		await t.rejects(housekeeping.runOnce(), TypeError);
		t.match(housekeeping.backup.skipped, /can't be written/);
	},
);
