/** Commands run by root, in folders of the service's user. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
	chmodSync,
	chownSync,
	existsSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t, { type Test } from "tap";
import { installFolder } from "../../runtime/models/package/install.js";
import { writeBackup } from "../../runtime/store/backup.js";
import { openStore } from "../../runtime/store/open-store.js";
import { replaceDatabase } from "../../runtime/store/replacement.js";
import { makeToken } from "../e2e/running-appliance.js";
import {
	writeTinyZipformer,
	zipformer2States,
} from "../published/tiny-graphs.js";
import { fixturePath } from "../store/children.js";
import { trustingCheck as checkCommand } from "../store/trusting-check.js";
import { earshot, earshotIn } from "./earshot.js";
import {
	asOtherUser,
	otherUser as service,
	skipOthers as skip,
} from "./other-user.js";

if (skip) t.comment(`folders of others are not tried: ${skip}`);

/** A folder that belongs to the service and that others may traverse. */
function serviceFolder(t: Test): string {
	const folder = mkdtempSync(join(tmpdir(), "earshot-owner-"));
	t.teardown(() => rmSync(folder, { recursive: true, force: true }));
	chownSync(folder, service.uid, service.gid);
	chmodSync(folder, 0o755);
	return folder;
}

/** Entries of it that do not belong to the service. */
function strangers(folder: string): string[] {
	return readdirSync(folder, { recursive: true })
		.map(String)
		.filter((it) => {
			const { uid, gid } = lstatSync(join(folder, it));
			return uid !== service.uid || gid !== service.gid;
		});
}

/** With a token, as a command of root does. */
async function makeDatabase(dir: string): Promise<void> {
	const store = await openStore({ dir, as: "visit" });
	await makeToken(store, "kiosk");
	await store.close();
}

/** As the service's user. */
const asService = (dir: string, ...words: string[]) =>
	asOtherUser({ EARSHOT_STATE_DIR: dir }, ...words);

async function serves(t: Test, dir: string): Promise<void> {
	const server = spawn(process.execPath, [fixturePath("serve-lock"), dir], {
		...service,
		stdio: ["ignore", "pipe", "inherit"],
	});
	t.teardown(() => server.kill("SIGKILL"));
	const closed = once(server, "close");
	const output = once(server.stdout, "data").then(([it]) => String(it));
	t.equal(await Promise.race([output, closed]), "ready\n", "it can be opened");
	server.kill("SIGKILL");
	await closed;
}

t.test("a state directory", { skip }, async (t) => {
	const folder = serviceFolder(t);
	const dir = join(folder, "not", "there");
	const made = await earshotIn(dir, "token", "create", "--name", "kiosk");
	t.match(made, { code: 0, err: /^earshot: valid until [^\n]+\n$/ });
	t.strictSame(strangers(folder), []);
	t.equal(statSync(join(dir, "store.mdb")).mode & 0o777, 0o600);
	await serves(t, dir);
	t.match(await earshotIn(dir, "token", "list"), { code: 0, out: /kiosk/ });
	t.strictSame(strangers(folder), [], "nor beside what the service left");
});

t.test("backup and restore", { skip }, async (t) => {
	const [from, to] = [serviceFolder(t), serviceFolder(t)];
	await makeDatabase(from);
	const file = join(t.testdir(), "copy.mdb");
	t.match(await earshotIn(from, "backup", file), { code: 0 });
	t.equal(statSync(file).uid, 0, "elsewhere it stays root's");
	const inside = join(from, "store.backup.mdb");
	t.match(await earshotIn(from, "backup", inside), { code: 0 });
	t.strictSame(strangers(from), []);
	for (const _ of ["into an empty folder", "over what is there"]) {
		const { code, err } = await earshotIn(to, "restore", file);
		t.strictSame([code, err], [0, ""]);
		t.strictSame(strangers(to), []);
	}
	t.equal(readdirSync(to).filter((it) => /before-restore/.test(it)).length, 1);
	await serves(t, to);
});

t.test("models", { skip }, async (t) => {
	const folder = serviceFolder(t);
	const stick = join(t.testdir(), "sherpa-onnx-streaming-zipformer");
	writeTinyZipformer(stick, zipformer2States(), 6);
	const name = "tiny";
	const add = ["models", "add", stick, "--name", name];
	const models = { EARSHOT_MODEL_DIR: folder };
	t.match(await earshot(add, models), { code: 0, err: "" });
	t.strictSame(strangers(folder), []);
	const roots = join(t.testdirName, "roots");
	mkdirSync(roots);
	await installFolder(stick, { directory: roots, name });
	t.equal(statSync(join(roots, "tiny")).uid, 0);
	t.equal(statSync(join(roots, "tiny")).mode & 0o777, 0o755, "all may read it");
});

t.test(
	"the target of a link does not change its owner",
	{ skip },
	async (t) => {
		const folder = serviceFolder(t);
		const secret = join(t.testdir(), "secret");
		writeFileSync(secret, "");
		const absent = join(t.testdirName, "absent");
		symlinkSync(secret, join(folder, "store.suspect"));
		symlinkSync(secret, join(folder, "store.mdb-lock"));
		symlinkSync(absent, join(folder, "store.mdb"));
		await earshotIn(folder, "token", "create", "--name", "kiosk");
		for (const path of [secret, absent])
			if (existsSync(path)) t.equal(statSync(path).uid, 0, path);
	},
);

t.test("nor its mode, where one is put in place", { skip }, async (t) => {
	const secret = join(t.testdir(), "secret");
	writeFileSync(secret, "", { mode: 0o644 });
	/** As the owner of the folder may do at any moment. */
	const replace = (path: string) => {
		renameSync(path, `${path}.aside`);
		symlinkSync(secret, path);
	};
	const modeOf = (path: string) => statSync(path).mode & 0o777;

	const [from, to] = [serviceFolder(t), serviceFolder(t)];
	await makeDatabase(from);
	const copying = join(to, "store.mdb.restoring");
	await replaceDatabase({
		dir: to,
		file: join(from, "store.mdb"),
		what: "a copy",
		aside: join(to, "aside"),
		check: {
			checkCommand,
			onProgress: ({ done, total }) => {
				if (done === total && !existsSync(`${copying}.aside`)) replace(copying);
			},
		},
	});
	t.equal(modeOf(`${copying}.aside`), 0o600);
	t.equal(modeOf(secret), 0o644, "after a restore");

	const { database, close } = await openStore({
		dir: from,
		as: "visit",
		checkCommand,
	});
	t.teardown(close);
	const backup = database.backup.bind(database);
	for (const folder of [from, to]) {
		chmodSync(secret, 0o644);
		database.backup = async (path) => {
			await backup(path);
			replace(path);
		};
		const path = join(folder, "copy.mdb");
		await t.rejects(writeBackup(database, path, { reserveBytes: 0 }), {
			message: /copy\.mdb can't be written/,
		});
		t.equal(modeOf(secret), 0o644, "after a backup");
	}
});

t.test("older files of root are reported", { skip }, async (t) => {
	const folder = serviceFolder(t);
	await makeDatabase(folder);
	chownSync(join(folder, "store.mdb"), 0, 0);
	const { status, stderr } = asService(folder, "token", "list");
	t.equal(status, 1);
	t.match(
		stderr,
		/store\.mdb belongs to another user: .*run as root `chown --reference=/,
	);
	const [, command = ""] = /`(chown .*?)`/.exec(stderr) ?? [];
	t.equal(spawnSync("sh", ["-c", command]).status, 0);
	t.match(asService(folder, "token", "list"), { status: 0, stdout: /kiosk/ });
});
