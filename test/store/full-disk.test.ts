import t from "tap";
import { Canary } from "../../runtime/store/canary.js";
import { Database } from "../../runtime/store/database.js";
import { main } from "../cli/earshot.js";
import { skipMounts as skip } from "../fixtures/small-disk.js";
import { fixturePath } from "./children.js";
import { onFullDisk } from "./full-disk.js";

const earshot = (words: string) => `${process.execPath} ${main} ${words}`;
const create = earshot("token create --name kiosk");

t.test(
	"a command that can't write fails in one sentence",
	{ skip },
	async (t) => {
		const again = `${create} 2>&1`;
		const renew = `${earshot("tls renew")} 2>&1`;
		const output = await onFullDisk(
			t.testdir(),
			`${create} 2>/dev/null`,
			...[again, again, renew],
		);
		const [, ...lines] = output.trimEnd().split("\n"); // the token comes first
		const full =
			/^earshot: .*store\.mdb can't be written: the disk is full .* make room/;
		const end = "ended with 1";
		t.match(lines, [full, end, full, end, /ENOSPC.*: make room on the/, end]);
		t.equal(lines.length, 6, "nothing else is written");
	},
);

t.test("a server starts, and is alone", { skip }, async (t) => {
	const serve = `${process.execPath} ${fixturePath("serve-lock")} $EARSHOT_STATE_DIR`;
	const output = await onFullDisk(
		t.testdir(),
		create,
		`mkfifo "$DISK/../out"; ${serve} > "$DISK/../out" 2>&1 & read ready < "$DISK/../out"; echo $ready; ${serve} 2>&1 | grep -o "already uses"; kill $!`,
	);
	t.match(output, /^ready$/m);
	t.match(output, /^already uses$/m);
});

t.test("no commit begins without room, until there is some", async (t) => {
	let free = 0;
	const path = `${t.testdir()}/store.mdb`;
	const database = Database.open(path, { freeBytes: () => free });
	t.teardown(() => database.close());
	const rows = database.table<number>("rows");
	const full = { trouble: "full", message: /the disk is full .* make room/ };
	await t.rejects(rows.put("a", 1), full);
	await t.rejects(database.together([rows.putting("a", 1)]), full);
	t.equal(rows.get("a"), undefined);
	const canary = new Canary(database, 60_000);
	t.equal(await canary.check(), undefined, "a restart would not make room");
	free = 2 ** 30;
	await rows.put("a", 1);
	t.equal(rows.get("a"), 1);
});
