import { execFile } from "node:child_process";
import { once } from "node:events";
import {
	existsSync,
	mkdirSync,
	openSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
	writeSync,
} from "node:fs";
import { basename } from "node:path";
import { promisify } from "node:util";
import t from "tap";
import { Database } from "../../runtime/store/database.js";
import { openStore, type Store } from "../../runtime/store/open-store.js";
import { StoreError } from "../../runtime/store/store-error.js";
import { fixturePath, startFixture } from "./children.js";
import { housekeepingOf } from "./housekeeping-of.js";
import { trustingCheck } from "./trusting-check.js";

/** The error of an action. */
async function troubleOf(action: Promise<unknown>): Promise<string> {
	try {
		await action;
	} catch (thrown) {
		if (thrown instanceof StoreError) return thrown.trouble;
		throw thrown;
	}
	return "none";
}

const run = promisify(execFile);
const request = {
	name: "kept",
	scopes: ["asr"],
	nowSeconds: 1_000,
	ttlSeconds: 10_000_000_000, // housekeeping uses the real clock
} as const;

/** A state directory with enough rows for several pages. @returns its tokens. */
async function filled(
	dir: string,
	beforeClosed?: (store: Store) => Promise<void>,
): Promise<string[]> {
	const store = await openStore({ dir, as: "serve" });
	const issued = await Promise.all(
		Array.from({ length: 200 }, () => store.tokens.create(request)),
	);
	await beforeClosed?.(store);
	await store.close();
	return issued.map((it) => it.token);
}

/** The same, with a backup. That one is checked when it is made: test/store/check. */
const withBackup = (dir: string) =>
	filled(dir, (store) => {
		const check = { checkCommand: trustingCheck };
		return housekeepingOf(store, dir, { check }).runOnce();
	});

const damages: Record<string, (file: string) => void> = {
	"cut in half": (file) => truncateSync(file, statSync(file).size / 2),
	"cut to one page": (file) => truncateSync(file, 4096),
	"overwritten by text": (file) => writeFileSync(file, "not a database\n"),
	"zeroed after its first pages": (file) => {
		const descriptor = openSync(file, "r+");
		writeSync(
			descriptor,
			Buffer.alloc(statSync(file).size - 8192),
			0,
			null,
			8192,
		);
	},
};

for (const [name, damage] of Object.entries(damages)) {
	t.test(`a database ${name} is set aside by the server`, async (t) => {
		const dir = t.testdir();
		await filled(dir);
		damage(`${dir}/store.mdb`);
		const before = readFileSync(`${dir}/store.mdb`);
		const store = await openStore({ dir, as: "serve" });
		t.teardown(() => store.close());
		t.equal(store.repaired?.fromBackup, false);
		t.ok(readFileSync(store.repaired?.damagedFile ?? "").equals(before));
		t.equal(store.tokens.isEmpty(), true);
		await store.tokens.create(request);
		t.equal(store.tokens.list().length, 1, "the new one works");
	});
}

t.test("a visitor leaves a damaged database where it is", async (t) => {
	const dir = t.testdir();
	await filled(dir);
	damages["cut in half"]?.(`${dir}/store.mdb`);
	const before = readFileSync(`${dir}/store.mdb`);
	t.equal(await troubleOf(openStore({ dir, as: "visit" })), "damaged");
	t.ok(readFileSync(`${dir}/store.mdb`).equals(before));
});

t.test(
	"the message about an unreadable row quotes nothing of it",
	async (t) => {
		const dir = t.testdir();
		const database = Database.open(`${dir}/store.mdb`);
		const asText = { encode: (text: unknown) => Buffer.from(String(text)) };
		const decode = (bytes: Buffer) => bytes.toString();
		const rows = database.table<string>("apps", { ...asText, decode });
		await rows.put("a", '{"secret":"between us"]');
		await database.close();
		await t.rejects(openStore({ dir, as: "visit" }), {
			trouble: "damaged",
			message: /^((?!between).)*$/,
		});
	},
);

t.test("after damage the server continues with the last backup", async (t) => {
	const dir = t.testdir();
	const tokens = await withBackup(dir);
	t.equal(statSync(`${dir}/store.backup.mdb`).mode & 0o777, 0o600);
	truncateSync(`${dir}/store.mdb`, 8192);
	const again = await openStore({ dir, as: "serve" });
	t.teardown(() => again.close());
	t.equal(again.repaired?.fromBackup, true);
	t.ok(tokens.every((token) => again.tokens.findValid(token, 2_000)));
});

t.test(
	"of damaged files the newest two are kept, and each that no backup replaced",
	async (t) => {
		const dir = t.testdir();
		await withBackup(dir);
		const aside = (name: string, text = "rows") => {
			writeFileSync(`${dir}/store.mdb.${name}`, text);
			return `store.mdb.${name}`;
		};
		aside("damaged-replaced-2025-01-01T00-00-00-000Z");
		aside("damaged-replaced-2025-01-02T00-00-00-000Z");
		// a clock that was wrong
		const second = aside("damaged-replaced-2087-01-01T00-00-00-000Z");
		aside("damaged-replaced-2025-01-04T00-00-00-000Z", "");
		const lock = aside("damaged-replaced-2087-01-01T00-00-00-000Z-lock");
		// one that can't be removed
		const folder = "store.mdb.damaged-replaced-2025-01-03T00-00-00-000Z";
		mkdirSync(`${dir}/${folder}`);
		const only = aside("damaged-2025-01-01T00-00-00-000Z");
		const others = aside("before-restore-2025-01-01T00-00-00-000Z");
		truncateSync(`${dir}/store.mdb`, 8192);
		const store = await openStore({ dir, as: "serve" });
		await store.close();
		const { damagedFile = "" } = store.repaired ?? {};
		t.same(
			readdirSync(dir)
				.filter((it) => it.startsWith("store.mdb."))
				.sort(),
			[others, only, folder, second, lock, basename(damagedFile)].sort(),
		);
		truncateSync(`${dir}/store.mdb`, 8192);
		truncateSync(`${dir}/store.backup.mdb`, 8192);
		const anew = await openStore({ dir, as: "serve" });
		await anew.close();
		t.match(anew.repaired, {
			fromBackup: false,
			damagedFile: /damaged-\d/,
		});
		t.ok(existsSync(`${dir}/${only}`));
		t.ok(existsSync(`${dir}/${basename(damagedFile)}`), "it took no place");
	},
);

const losses: Record<string, (file: string) => void> = {
	"cut to nothing": (file) => truncateSync(file, 0),
	removed: (file) => rmSync(file),
};

for (const [name, lose] of Object.entries(losses)) {
	t.test(`a database ${name} is restored from its backup`, async (t) => {
		const dir = t.testdir();
		const tokens = await withBackup(dir);
		lose(`${dir}/store.mdb`);
		t.equal(await troubleOf(openStore({ dir, as: "visit" })), "damaged");
		const again = await openStore({ dir, as: "serve" });
		t.teardown(() => again.close());
		t.match(again.repaired, { fromBackup: true, reason: /missing or empty/ });
		t.ok(tokens.every((token) => again.tokens.findValid(token, 2_000)));
	});
}

t.test("without database and backup the server begins anew", async (t) => {
	const dir = t.testdir();
	await withBackup(dir);
	rmSync(`${dir}/store.mdb`);
	truncateSync(`${dir}/store.backup.mdb`, 8192);
	const damaged = await openStore({ dir, as: "serve" });
	t.match(damaged.repaired, { fromBackup: false });
	t.equal(damaged.tokens.isEmpty(), true);
	await damaged.close();
	rmSync(`${dir}/store.mdb`);
	rmSync(`${dir}/store.backup.mdb`);
	const reset = await openStore({ dir, as: "serve" });
	t.teardown(() => reset.close());
	t.equal(reset.repaired, undefined);
	t.equal(reset.tokens.isEmpty(), true);
});

t.test("a lock file emptied by a power loss costs no data", async (t) => {
	const dir = t.testdir();
	const tokens = await filled(dir);
	truncateSync(`${dir}/store.mdb-lock`, 0);
	const store = await openStore({ dir, as: "serve" });
	t.teardown(() => store.close());
	t.ok(store.tokens.findValid(tokens[0] ?? "", 2_000));
});

t.test(
	"a database that can't be checked is not reported as damaged",
	async (t) => {
		const dir = t.testdir();
		const tokens = await filled(dir);
		t.equal(
			await troubleOf(
				openStore({
					dir,
					as: "serve",
					checkCommand: { file: "/nowhere/program", args: [] },
				}),
			),
			"unavailable",
		);
		t.equal(
			readdirSync(dir).some((name) => name.includes("damaged")),
			false,
		);
		const store = await openStore({ dir, as: "serve" });
		t.teardown(() => store.close());
		t.ok(store.tokens.findValid(tokens[0] ?? "", 2_000));
	},
);

t.test("a full disk is a named error, and the process survives", async (t) => {
	const dir = t.testdir();
	// the test runner's own hooks would write files past the limit
	const script = `unset NODE_OPTIONS; ulimit -f 200; trap '' XFSZ; exec "$0" "$1" "$2"`;
	const { stdout } = await run("bash", [
		"-c",
		script,
		process.execPath,
		fixturePath("fill-disk"),
		`${dir}/store.mdb`,
	]).catch((ended: { stdout: string }) => ended);
	const result = JSON.parse(stdout);
	t.equal(result.trouble, "full", result.message);
	t.match(result.message, /disk is full/);
	t.ok(result.written > 3);
	t.equal(result.readable, 10_000);
});

t.test("the same file is never opened twice in one process", async (t) => {
	const dir = t.testdir();
	const first = Database.open(`${dir}/a.mdb`);
	t.throws(() => Database.open(`${dir}/a.mdb`), /open in this process/);
	const rows = first.table("rows");
	await first.close();
	await t.rejects(rows.put("a", 1), {
		trouble: "unavailable",
		message: /is closed/,
	});
	const second = Database.open(`${dir}/a.mdb`);
	await second.close();
});

t.test("a directory that can't be created is reported", async (t) => {
	const dir = t.testdir({ file: "" });
	const opening = openStore({ dir: `${dir}/file/state`, as: "serve" });
	await t.rejects(opening, { message: /EARSHOT_STATE_DIR/ });
});

t.test(
	"creating a directory inside /proc fails and does not hang",
	async (t) => {
		const opening = openStore({ dir: "/proc/earshot", as: "serve" });
		await t.rejects(opening, { message: /EARSHOT_STATE_DIR/ });
	},
);

t.test("missing parents are created as well", async (t) => {
	const dir = `${t.testdir({})}/a/b/c`;
	await (await openStore({ dir, as: "serve" })).close();
	await (await openStore({ dir, as: "serve" })).close();
	t.equal(statSync(dir).mode & 0o777, 0o700);
});

t.test(
	"a commit that is never confirmed is aborted, and reported once",
	async (t) => {
		const path = `${t.testdir()}/a.mdb`;
		let reports = 0;
		// the short deadline is only for the commits that are never confirmed
		const patient = Database.open(path);
		await patient.table<number>("numbers").put("before", 1);
		await patient.close();
		const database = Database.open(path, {
			commitDeadlineMs: 300,
			onStuck: () => {
				reports += 1;
			},
		});
		const table = database.table<number>("numbers");
		const holder = startFixture("hold-write-lock", path);
		await once(holder.stdout ?? holder, "data");
		t.equal(await troubleOf(table.put("a", 1)), "stuck");
		t.equal(await troubleOf(table.put("b", 1)), "stuck");
		t.equal(reports, 1);
		t.equal(database.stuck?.trouble, "stuck");
		t.equal(table.get("before"), 1, "reading goes on");
		await database.close(); // does not wait for the commit
		holder.kill("SIGKILL");
		await once(holder, "close");
	},
);
