import { once } from "node:events";
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import t from "tap";
import { restoreBackup, writeBackup } from "../../runtime/store/backup.js";
import { openStore } from "../../runtime/store/open-store.js";
import { startFixture } from "../store/children.js";
import { earshotIn } from "./earshot.js";

const list = { name: "n", language: "en-US" };

async function filled(dir: string, entries: readonly string[]) {
	const store = await openStore({ dir, as: "visit" });
	await store.hotwords.create({ ...list, id: "kept", entries }, 1);
	await store.close();
}

async function entriesIn(dir: string): Promise<readonly string[] | undefined> {
	const store = await openStore({ dir, as: "serve" });
	const entries = store.hotwords.read("kept")?.entries;
	await store.close();
	return entries;
}

async function backUp(dir: string, file: string): Promise<void> {
	const store = await openStore({ dir, as: "visit" });
	await writeBackup(store.database, file);
	await store.close();
}

t.test("a backup comes back, and the state of before is kept", async (t) => {
	const dir = join(t.testdir(), "state");
	const file = join(t.testdirName, "copy.mdb");
	t.match(await earshotIn(dir, "backup", file), {
		code: 2,
		err: /there is nothing to copy in/,
	});
	t.notOk(existsSync(dir), "and nothing is made");
	await filled(dir, ["first"]);
	t.match(await earshotIn(dir, "backup", file), { code: 0, out: /^copied to/ });
	t.equal(statSync(file).mode & 0o777, 0o600);
	const store = await openStore({ dir, as: "visit" });
	const change = async () => ({ entries: ["second"] });
	await store.hotwords.change("kept", change, () => 2);
	await store.close();
	t.match(await earshotIn(dir, "backup", file), {
		code: 2,
		err: /is there already; --force replaces it/,
	});
	const restored = await earshotIn(dir, "restore", file);
	t.match(restored, { code: 0, out: /goes on from/ });
	t.match(restored.out, /tokens that were revoked since/);
	t.same(await entriesIn(dir), ["first"]);
	const before = /what was there before: (.*)/.exec(restored.out)?.[1] ?? "";
	const other = join(t.testdirName, "other");
	t.match(await earshotIn(other, "restore", before), { code: 0 });
	t.same(await entriesIn(other), ["second"]);
	t.match(await earshotIn(dir, "backup", "--force", file), { code: 0 });
	const left = readdirSync(t.testdirName).filter((it) => /copy/.test(it));
	t.same(left, ["copy.mdb"], "no traces beside it");
	const names = readdirSync(dir).filter((it) => /restoring|\.new/.test(it));
	t.same(names, []);
});

t.test(
	"a backup while much is written has every change acknowledged before it",
	async (t) => {
		const dir = join(t.testdir(), "state");
		mkdirSync(dir);
		const writer = startFixture("write-lists", join(dir, "store.mdb"));
		t.teardown(() => writer.kill("SIGKILL"));
		let text = "";
		writer.stdout?.on("data", (bytes: Buffer) => {
			text += bytes.toString();
		});
		for (let round = 0; round < 2; round++) {
			await once(writer.stdout ?? writer, "data");
			const before = text.split("\n").slice(1, -1);
			const file = join(t.testdirName, `copy-${round}.mdb`);
			const ended = await earshotIn(dir, "backup", file);
			t.match(ended, { code: 0 });
			const during = text.split("\n").slice(1, -1);
			const copy = join(t.testdirName, `restored-${round}`);
			t.match(await earshotIn(copy, "restore", file), { code: 0 });
			const store = await openStore({ dir: copy, as: "serve" });
			for (const id of ["a", "b", "c"]) {
				const { row, entries = [] } = store.hotwords.read(id) ?? {};
				t.equal(row?.amount ?? 0, entries.length);
				t.same(
					entries,
					Array.from(entries, (_, index) => `${index}`),
				);
				// each list's lines in order: the copy stands somewhere from the last before to the first after
				const lines = (all: readonly string[]) =>
					all.filter((it) => it.startsWith(`${id} `)).map((it) => it.slice(2));
				const from = lines(before).length - 1;
				const seen = lines(during).slice(Math.max(0, from));
				const last = entries.length === 0 ? "gone" : `${entries.length - 1}`;
				// made again, a list begins anew
				const newest = seen.at(-1);
				const next = newest === "gone" ? "0" : `${Number(newest) + 1}`;
				t.ok(
					[...seen, next, "gone", ...(from < 0 ? ["0"] : [])].includes(last),
					`${id}: ${last} in ${seen.slice(-20).join(" ")}`,
				);
			}
			await store.close();
		}
		t.ok(text.split("\n").length > 50);
	},
);

t.test("nothing is restored under a running server", async (t) => {
	const dir = join(t.testdir(), "state");
	const file = join(t.testdirName, "copy.mdb");
	await filled(dir, ["first"]);
	await backUp(dir, file);
	const server = startFixture("serve-lock", dir);
	t.teardown(() => server.kill("SIGKILL"));
	await once(server.stdout ?? server, "data");
	const before = readdirSync(dir).sort();
	t.match(await earshotIn(dir, "restore", file), {
		code: 1,
		err: /serves from .* already/,
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
		"of text": () => writeFileSync(file, "not a database"),
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
		t.same(readFileSync(join(dir, "store.mdb")), before, name);
		t.notMatch(readdirSync(dir).join(), /restor/);
	}
	t.match(await earshotIn(dir, "restore", `${file}.nowhere`), {
		code: 1,
		err: /is not there, or is empty/,
	});
	for (const nowhere of [join(file, "inside"), join(dir, "no", "folder")]) {
		const { code, err } = await earshotIn(dir, "backup", nowhere);
		t.equal(code, 1);
		t.match(err, /^earshot: the folder .* is not there\n$/);
	}
});
