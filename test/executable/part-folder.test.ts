import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	symlinkSync,
	truncateSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import t from "tap";
import {
	PartFolder,
	type PartSource,
} from "../../runtime/executable/part-folder.js";
import { openFirst, unpackPlaces } from "../../runtime/executable/places.js";
import { glibcAdvice } from "../../runtime/executable/unpack-error.js";

/** An executable with these parts; its real contents may differ. */
function sourceOf(
	parts: Readonly<Record<string, string>>,
	holds: Readonly<Record<string, string>> = parts,
): PartSource {
	return {
		parts: Object.entries(parts).map(([name, text]) => ({
			name,
			bytes: Buffer.byteLength(text),
			sha256: createHash("sha256").update(text).digest("hex"),
		})),
		read: (name) => Buffer.from(holds[name] ?? ""),
	};
}

const two = { "a.node": "a library", "b.so.1": "another" };

t.test("parts become files of a private folder", async (t) => {
	const base = join(t.testdir(), "not", "there", "yet");
	const folder = PartFolder.open(base, sourceOf(two));
	t.equal(readFileSync(folder.file("a.node"), "utf8"), "a library");
	t.equal(statSync(folder.path).mode & 0o777, 0o700);
	t.equal(statSync(folder.file("b.so.1")).mode & 0o077, 0);
	t.strictSame(readdirSync(folder.path).sort(), ["a.node", "b.so.1"]);
});

t.test("a file that has changed is written again", async (t) => {
	const base = t.testdir();
	const path = PartFolder.open(base, sourceOf(two)).file("a.node");
	writeFileSync(path, "a librarx");
	const folder = PartFolder.open(base, sourceOf(two));
	t.equal(readFileSync(folder.file("a.node"), "utf8"), "a library");
	truncateSync(path, 3);
	PartFolder.open(base, sourceOf(two));
	t.equal(readFileSync(path, "utf8"), "a library", "cut short");
});

t.test("a damaged part is refused by name, and nothing is left", async (t) => {
	const base = t.testdir();
	const damaged = sourceOf(two, { ...two, "b.so.1": "anothe_" });
	t.throws(() => PartFolder.open(base, damaged), {
		name: "UnpackError",
		message: /b\.so\.1/,
	});
	t.strictSame(readdirSync(base), []);
});

t.test(
	"another version has another folder, and the one before the last is removed",
	async (t) => {
		const base = t.testdir();
		const versions = ["1", "2", "3"].map((text) =>
			sourceOf({ "a.node": text }),
		);
		const paths = versions.map((version, index) => {
			const { path } = PartFolder.open(base, version);
			utimesSync(path, index + 1, index + 1);
			return path;
		});
		t.strictSame(
			readdirSync(base).sort(),
			paths
				.slice(1)
				.map((path) => basename(path))
				.sort(),
		);
	},
);

t.test("a folder that others may write to is not used", async (t) => {
	const base = t.testdir();
	const { path } = PartFolder.open(base, sourceOf(two));
	chmodSync(path, 0o777);
	t.throws(() => PartFolder.open(base, sourceOf(two)), /only this user/);
	chmodSync(path, 0o700);
	const link = join(t.testdirName, "link");
	symlinkSync(base, link);
	t.throws(() => PartFolder.open(link, sourceOf(two)), /only this user/);
});

t.test(
	"the first usable folder is used, and the others' errors are reported",
	async (t) => {
		const dir = t.testdir({ file: "" });
		const [taken, noexec, good] = [
			join(dir, "file", "below"),
			join(dir, "noexec"),
			join(dir, "good"),
		];
		const tryOut = (folder: PartFolder) => {
			if (folder.path.startsWith(noexec))
				throw new Error("failed to map segment from shared object");
		};
		const folder = openFirst([taken, noexec, good], sourceOf(two), tryOut);
		t.ok(folder.path.startsWith(good));
		t.throws(() => openFirst([taken, noexec], sourceOf(two), tryOut), {
			message:
				/below: ENOTDIR.*noexec: programs can't be run.*EARSHOT_UNPACK_DIR/,
		});
	},
);

t.test("a damaged executable is not tried in a second folder", async (t) => {
	const dir = t.testdir();
	const damaged = sourceOf(two, {});
	const second = join(dir, "second");
	t.throws(
		() => openFirst([join(dir, "first"), second], damaged, () => {}),
		/damaged/,
	);
	t.notOk(existsSync(second));
});

t.test(
	"the service's state directory comes before caches and /tmp",
	async (t) => {
		const user = { uid: 7, homedir: "/home/kiosk" };
		t.strictSame(
			unpackPlaces({ STATE_DIRECTORY: "/var/lib/earshot" }, user, "/tmp"),
			[
				"/var/lib/earshot/unpacked",
				"/home/kiosk/.cache/earshot",
				"/tmp/earshot-7",
			],
		);
		t.strictSame(
			unpackPlaces(
				{ XDG_CACHE_HOME: "/c", EARSHOT_STATE_DIR: "/s" },
				user,
				"/t",
			),
			["/c/earshot", "/s/unpacked", "/t/earshot-7"],
		);
		t.strictSame(unpackPlaces({ EARSHOT_UNPACK_DIR: "/here" }, user, "/tmp"), [
			"/here",
		]);
	},
);

t.test(
	"a C library that is too old is reported with its numbers",
	async (t) => {
		const reason =
			"/lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by /x/uws.node)";
		const needed = { flavour: "glibc2.38", glibc: "2.38" };
		const advice = glibcAdvice(reason, needed, "2.36") ?? "";
		t.match(
			advice,
			/needs glibc 2\.38 or newer and this system has glibc 2\.36/,
		);
		t.match(advice, /use the flavour glibc2\.34/);
		t.match(
			glibcAdvice(reason, needed, "2.31"),
			/there is no executable for it/,
		);
		const usual = { flavour: "glibc2.34", glibc: "2.34" };
		t.match(
			glibcAdvice(reason, usual, "2.36"),
			/there is no executable for it/,
		);
		t.equal(glibcAdvice("no such file", needed, "2.36"), undefined);
	},
);

t.test("concurrent processes all find complete files", async (t) => {
	const base = t.testdir();
	mkdirSync(join(base, "x"));
	const large = "x".repeat(5_000_000);
	const source = sourceOf({ "large.so": large });
	// as left by another process in the middle of its work
	const { path } = PartFolder.open(base, source);
	writeFileSync(join(path, "large.so.99-abcd"), "half");
	t.equal(
		statSync(PartFolder.open(base, source).file("large.so")).size,
		5_000_000,
	);
});

t.test("what a killed process left half written is removed", async (t) => {
	const base = t.testdir();
	const { path } = PartFolder.open(base, sourceOf(two));
	const pidMax = 2 ** 22;
	for (const pid of [pidMax + 1, process.pid, process.ppid])
		writeFileSync(join(path, `b.so.1.${pid}-0a0b0c0d`), "half");
	PartFolder.open(base, sourceOf(two));
	t.strictSame(
		readdirSync(path).sort(),
		["a.node", "b.so.1", `b.so.1.${process.ppid}-0a0b0c0d`],
		"but what another one is writing stays",
	);
});

t.test(
	"a user without a name has no home, but other places",
	{
		skip: process.getuid?.() === 0 ? false : "only root becomes another user",
	},
	(t) => {
		const places = pathToFileURL(resolve("build/runtime/executable/places.js"));
		const script = `
import { unpackPlaces } from ${JSON.stringify(places.href)};
process.setuid(54321);
console.log(JSON.stringify(unpackPlaces({ EARSHOT_STATE_DIR: "/state" }, undefined, "/tmp")));`;
		const printed = execFileSync(
			process.execPath,
			["--input-type=module", "-e", script],
			{ encoding: "utf8" },
		);
		t.same(JSON.parse(printed), ["/state/unpacked", "/tmp/earshot-54321"]);
		t.end();
	},
);
