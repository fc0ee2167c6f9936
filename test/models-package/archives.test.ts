/** Models in archives: what is accepted, and what a hostile archive may contain that is refused. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import t, { type Test } from "tap";
import { installArchive } from "../../runtime/models/package/install-archive.js";
import { holds } from "../fuzz/holds.js";
import {
	writeTinyZipformer,
	zipformer2States,
} from "../published/tiny-graphs.js";
import { nothingElsewhereIsWritten, small } from "./archives.property.js";
import {
	filesOf,
	type Packed,
	tar,
	tarBz2,
	tarGz,
	zip,
} from "./made-archives.js";

const folderName = "sherpa-onnx-streaming-zipformer";

function places(t: Test) {
	const place = t.testdir({ models: {}, stick: {} });
	const stick = join(place, "stick");
	const zipformer = join(stick, folderName);
	writeTinyZipformer(zipformer, zipformer2States(), 6);
	return { place, directory: join(place, "models"), stick, zipformer };
}

t.test("a model is installed from an archive", async (t) => {
	const { directory, stick, zipformer } = places(t);
	const inFolder = [
		{ name: `${folderName}/`, type: "5", mode: 0o40755 },
		...filesOf(zipformer, `${folderName}/`),
		{ name: `${folderName}/test_wavs/`, type: "5", mode: 0o40755 },
		{ name: `${folderName}/test_wavs/0.wav`, body: "a sound" },
		{ name: `${folderName}/._tokens.txt`, body: "of a file manager" },
	];
	const plain = filesOf(zipformer, "./");
	const packed: Record<string, Buffer | undefined> = {
		"one.tar.gz": tarGz(inFolder),
		"two.tar.bz2": tarBz2(inFolder),
		"three.zip": zip(inFolder),
		"Four of them.tgz": tarGz(plain),
	};
	for (const [file, bytes] of Object.entries(packed)) {
		if (!bytes) {
			t.comment("bzip2 is not installed here");
			continue;
		}
		writeFileSync(join(stick, file), bytes);
		const { manifest } = await installArchive(join(stick, file), {
			directory,
			replace: true,
			licence: "MIT",
		});
		const name = file.startsWith("Four") ? "four-of-them" : folderName;
		t.match(manifest, { name, kind: "zipformer", licence: "MIT" }, file);
		t.same(
			readFileSync(join(directory, name, "encoder.onnx")),
			readFileSync(join(zipformer, "encoder-epoch-99-avg-1.onnx")),
			file,
		);
	}
	t.same(readdirSync(directory).sort(), ["four-of-them", folderName]);
});

const file = { name: "m/tokens.txt", body: "a 0\n" };

interface Refusal {
	readonly entries?: readonly Packed[];
	/** Alters the archive's bytes. */
	readonly spoil?: (bytes: Buffer) => Buffer;
	readonly message: RegExp;
	readonly only?: "tar" | "zip";
}

const refusals: Record<string, Refusal> = {
	"a name that climbs out": {
		entries: [file, { name: "m/../../evil", body: "x" }],
		message: /is outside the archive's folder|invalid relative path/,
	},
	"a name from the root": {
		entries: [file, { name: "/tmp/evil", body: "x" }],
		message: /absolute path/,
	},
	"a name with backslashes": {
		entries: [file, { name: "m\\..\\..\\evil", body: "x" }],
		message: /is not a valid file name|invalid characters in fileName/,
	},
	"a name with a line break": {
		entries: [{ name: "m/a\nb", body: "x" }],
		message: /is not a valid file name/,
	},
	"a symbolic link": {
		entries: [
			file,
			{ name: "m/x", type: "2", target: "/etc/passwd", mode: 0o120777 },
		],
		message:
			/"m\/x" is a symbolic link: a model consists of plain files; nothing/,
	},
	"a hard link": {
		entries: [file, { name: "m/x", type: "1", target: "m/tokens.txt" }],
		message: /"m\/x" is a hard link/,
		only: "tar",
	},
	"a device": {
		entries: [{ name: "m/x", type: "3", mode: 0o020666 }],
		message: /"m\/x" is a device/,
	},
	"a pipe": {
		entries: [{ name: "m/x", type: "6", mode: 0o010666 }],
		message: /"m\/x" is a pipe/,
	},
	"a type that nobody knows": {
		entries: [file, { name: "m/x", type: "S" }],
		message: /which is neither a file nor a folder/,
		only: "tar",
	},
	"one name twice": {
		entries: [file, { name: "./m//tokens.txt", body: "b 0\n" }],
		message: /occurs twice/,
	},
	"a file that is a folder": {
		entries: [file, { name: "m/tokens.txt/x", body: "x" }],
		message: /has a file as its parent folder/,
	},
	"more entries than any model has": {
		entries: Array.from({ length: 21 }, (_, i) => ({ name: `m/${i}` })),
		message: /more than 20 entries/,
	},
	"more than there may be": {
		entries: [file, { name: "m/x", body: "x", claims: 2e6 }],
		message: /larger than 0\.0 GB in total/,
	},
	"a size that is no size": {
		entries: [file, { name: "m/x", claims: 2 ** 60 }],
		message: /has no size|nothing was kept/,
		only: "tar",
	},
	"another size than promised": {
		entries: [{ ...file, claims: 3 }],
		message: /too many bytes in the stream/,
		only: "zip",
	},
	encrypted: {
		entries: [{ ...file, encrypted: true }],
		message: /is encrypted/,
		only: "zip",
	},
	"several models": {
		entries: [file, { name: "n/tokens.txt", body: "a 0\n" }],
		message: /several folders \(m, n\): add one model at a time/,
	},
	nothing: {
		entries: [{ name: "m/", type: "5" }],
		message: /no files|not a model/,
	},
	"no model": {
		entries: [file],
		message: /^x\.[a-z0-9.]+\/m is not a supported model/,
	},
	"it is cut off": {
		spoil: (it) => it.subarray(0, -40),
		message: /nothing was/,
	},
	"it is cut off early": {
		spoil: (it) => it.subarray(0, 60),
		message: /nothing was kept/,
	},
	"a flipped bit": {
		spoil: (it) => {
			const at = it.indexOf("PK") === 0 ? 45 : it.length >> 1;
			it[at] = (it[at] as number) ^ 8;
			return it;
		},
		message: /nothing was kept/,
	},
	"no archive at all": {
		spoil: () => Buffer.from("<html>not found</html>"),
		message: /not a \.tar\.gz, \.tar\.bz2 or \.zip/,
	},
};

t.test(
	"an unacceptable archive is refused with a message, and leaves nothing",
	async (t) => {
		for (const [
			name,
			{ entries = [file], spoil, message, only },
		] of Object.entries(refusals)) {
			const { place, directory, stick } = places(t);
			const packed: Record<string, Buffer | undefined> = {
				...(only !== "zip" && {
					"x.tar.gz": tarGz(entries),
					"x.tar.bz2": tarBz2(entries),
				}),
				...(only !== "tar" && { "x.zip": zip(entries) }),
			};
			for (const [called, bytes] of Object.entries(packed)) {
				if (!bytes) continue;
				const path = join(stick, called);
				writeFileSync(path, spoil ? spoil(bytes) : bytes);
				await t.rejects(
					installArchive(path, { directory, limits: small }),
					{ name: "PackageError", message },
					`${name}: ${called}`,
				);
				t.same(readdirSync(directory), [], `${name}: ${called}`);
				t.same(readdirSync(place).sort(), ["models", "stick"], name);
				t.notOk(existsSync("/tmp/evil"), name);
			}
		}
	},
);

t.test("decompression bombs are refused", async (t) => {
	const { directory, stick } = places(t);
	const zeros = Buffer.alloc(3e6);
	const bombs: Record<string, [Buffer, RegExp]> = {
		"a little that becomes much": [
			tarGz([{ name: "m/x", body: zeros }]),
			/more than 200 times its size/,
		],
		"much behind the end": [
			gzipSync(Buffer.concat([tar([file]), zeros])),
			/more than 200 times its size/,
		],
		"a name of megabytes": [
			tarGz([{ name: "././@LongLink", type: "L", body: zeros }, file]),
			/neither a file nor a folder|more than 200 times/,
		],
		"an archive in the archive": [
			gzipSync(tarGz([{ name: "m/x", body: zeros }])),
			/is not a tar/,
		],
	};
	for (const [name, [bytes, message]] of Object.entries(bombs)) {
		const path = join(stick, "bomb.tar.gz");
		writeFileSync(path, bytes);
		await t.rejects(
			installArchive(path, { directory, limits: { growthFreeBytes: 1e6 } }),
			{ name: "PackageError", message },
			name,
		);
		t.same(readdirSync(directory), [], name);
	}
});

t.test("the expected checksum of an archive may be given", async (t) => {
	const { directory, stick, zipformer } = places(t);
	const path = join(stick, "x.tar.gz");
	writeFileSync(path, tarGz(filesOf(zipformer)));
	await t.rejects(installArchive(path, { directory, sha256: "0".repeat(64) }), {
		message: /x\.tar\.gz does not match --sha256: its sha256 is [0-9a-f]{64}/,
	});
	t.same(readdirSync(directory), []);
});

await holds(t, nothingElsewhereIsWritten(t), 60);
