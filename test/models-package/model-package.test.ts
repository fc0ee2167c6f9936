import { createHash } from "node:crypto";
import {
	appendFileSync,
	mkdirSync,
	mkdtempSync,
	rmSync,
	symlinkSync,
	unlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t, { type Test } from "tap";
import { findPackages } from "../../runtime/models/package/catalogue.js";
import {
	loadPackage,
	PackageError,
} from "../../runtime/models/package/model-package.js";
import { verifyPackage } from "../../runtime/models/package/verify.js";

const weights = Buffer.from("weights of a very small model");

/** A valid package in a temporary folder; its manifest may be altered. */
function makePackage(t: Test, alter: (manifest: Manifest) => void = () => {}) {
	const root = mkdtempSync(join(tmpdir(), "earshot-package-"));
	t.teardown(() => rmSync(root, { recursive: true }));
	const folder = join(root, "silero-vad");
	mkdirSync(folder);
	const manifest: Manifest = {
		schema: 1,
		name: "silero-vad",
		kind: "silero-vad",
		languages: [],
		licence: "MIT",
		source: "a test",
		files: {
			"silero_vad.onnx": {
				sha256: createHash("sha256").update(weights).digest("hex"),
				bytes: weights.length,
			},
		},
	};
	alter(manifest);
	writeFileSync(join(folder, "model.json"), JSON.stringify(manifest));
	writeFileSync(join(folder, "silero_vad.onnx"), weights);
	return { root, folder, file: join(folder, "silero_vad.onnx") };
}

// biome-ignore lint/suspicious/noExplicitAny: manifests are damaged on purpose
type Manifest = any;

t.test("a valid package is loaded and verified", async (t) => {
	const { folder, file } = makePackage(t);
	const opened = await loadPackage(folder);
	t.equal(opened.path("silero_vad.onnx"), file);
	t.throws(() => opened.path("other.onnx"), PackageError);
	let bytes = 0;
	await verifyPackage(opened, (more) => {
		bytes += more;
	});
	t.equal(bytes, weights.length);
});

t.test("an altered file of the same size is found", async (t) => {
	const { folder, file } = makePackage(t);
	const altered = Buffer.from(weights);
	altered[3] = (altered[3] ?? 0) ^ 1;
	writeFileSync(file, altered);
	const opened = await loadPackage(folder);
	await t.rejects(verifyPackage(opened), {
		name: "PackageError",
		message: /silero_vad\.onnx was altered/,
	});
});

t.test("the message names the fault", async (t) => {
	const cases: readonly [string, RegExp, (manifest: Manifest) => void][] = [
		["an unknown kind", /kind/, (m) => (m.kind = "parrot")],
		["another schema", /schema/, (m) => (m.schema = 2)],
		["a missing field", /licence/, (m) => delete m.licence],
		[
			"a file outside of the folder",
			/must be in its folder/,
			(m) => {
				m.files["../../etc/passwd"] = m.files["silero_vad.onnx"];
			},
		],
		[
			"no weights",
			/needs silero_vad\.onnx/,
			(m) => {
				m.files = {};
			},
		],
		["no hash", /sha256/, (m) => (m.files["silero_vad.onnx"].sha256 = "x")],
		[
			"another size",
			/29 bytes instead of 7/,
			(m) => (m.files["silero_vad.onnx"].bytes = 7),
		],
		[
			"whisper without shapes",
			/needs encoder\.onnx|shapes/,
			(m) => (m.kind = "whisper"),
		],
	];
	for (const [name, message, alter] of cases) {
		const { folder } = makePackage(t, alter);
		await t.rejects(
			loadPackage(folder),
			{ name: "PackageError", message },
			name,
		);
	}
});

t.test("missing, truncated and unreadable files are named", async (t) => {
	const one = makePackage(t);
	unlinkSync(one.file);
	await t.rejects(loadPackage(one.folder), { message: /is missing/ });
	const two = makePackage(t);
	appendFileSync(two.file, "x");
	await t.rejects(loadPackage(two.folder), { message: /30 bytes instead/ });
	const three = makePackage(t);
	writeFileSync(join(three.folder, "model.json"), "{");
	await t.rejects(loadPackage(three.folder), { message: /valid JSON/ });
	await t.rejects(loadPackage(three.root), { message: /no model\.json/ });
});

t.test("a link in a catalogue leads to a package elsewhere", async (t) => {
	const { folder } = makePackage(t);
	const links = t.testdir();
	symlinkSync(folder, join(links, "silero-vad"));
	symlinkSync("/nonexistent", join(links, "of-an-image-before"));
	const { packages, broken } = await findPackages(links);
	t.strictSame(
		packages.map((it) => it.manifest.name),
		["silero-vad"],
	);
	t.strictSame(broken, []);
});

t.test(
	"a catalogue lists valid packages, and the faults of the others",
	async (t) => {
		const { root } = makePackage(t);
		mkdirSync(join(root, "broken"));
		const { packages, broken } = await findPackages(root);
		t.strictSame(
			packages.map((it) => it.manifest.name),
			["silero-vad"],
		);
		t.equal(broken.length, 1);
		t.match(broken[0]?.why, /no model\.json/);
		await t.rejects(findPackages(join(root, "nowhere")), {
			message: /model\.dir/,
		});
	},
);
