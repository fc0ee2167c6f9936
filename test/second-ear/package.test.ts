/** Packages of the kind second-ear: made, opened beside a recognizer, and refused. */
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import {
	cpSync,
	mkdirSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { openOnnx } from "../../drivers/onnx/session.js";
import { checkSecondEar } from "../../runtime/cli/checks/models.js";
import { ownCatalogue } from "../../runtime/cli/own-catalogue.js";
import { loadConfig } from "../../runtime/config/load.js";
import { openSpeech } from "../../runtime/engine/child/speech.js";
import type { Manifest } from "../../runtime/models/manifest.js";
import { fetchModel } from "../../runtime/models/package/fetch-model.js";
import { installFolder } from "../../runtime/models/package/install.js";
import { loadPackage } from "../../runtime/models/package/model-package.js";
import { jointWeights } from "../../runtime/search/lattice/joint-score.js";
import { earshot } from "../cli/earshot.js";
import { modelDir, skipped } from "../engine/real-lane.js";
import { filesOf, tarGz } from "../models-package/made-archives.js";
import { mirror } from "../models-package/mirror.js";
import {
	writeTinyZipformer,
	zipformer2States,
} from "../published/tiny-graphs.js";
import { writeTinySecondEar } from "./tiny-second-ear.js";

/** Published models, and the packages made of them; made once, because a lexicon takes seconds. */
const made = t.testdir({ models: {} });
const text = join(made, "text");
const pinyin = join(made, "pinyin");
const packages = join(made, "models");
const add = (directory: string, ...words: string[]) =>
	earshot(["models", "add", ...words], { EARSHOT_MODEL_DIR: directory });
let added: Awaited<ReturnType<typeof add>>;

t.before(async () => {
	writeTinyZipformer(text, zipformer2States(), 6);
	writeTinySecondEar(pinyin);
	await installFolder(text, { directory: packages, name: "main" });
	added = await add(packages, pinyin, "--name", "zipformer-zh-ear");
});

/** A models folder with a recognizer of Chinese (`main`) and an ear. */
function installed(t: Test) {
	const place = t.testdir({ models: {} });
	const directory = join(place, "models");
	cpSync(join(packages, "main"), join(directory, "main"), { recursive: true });
	cpSync(join(packages, "zipformer-zh-ear"), join(directory, "ear"), {
		recursive: true,
	});
	const change = (name: string, changed: (manifest: Manifest) => unknown) => {
		const path = join(directory, name, "model.json");
		const manifest = JSON.parse(readFileSync(path, "utf8"));
		writeFileSync(path, JSON.stringify(changed(manifest)));
	};
	const open = (secondEar?: string) =>
		openSpeech(openOnnx(), {
			modelFolder: join(directory, "main"),
			...(secondEar && { secondEarFolder: join(directory, secondEar) }),
			threads: 1,
			processor: "cpu",
			verify: true,
		});
	return { place, directory, change, open };
}

t.test("a published model with pinyin becomes an ear, if wanted", async (t) => {
	const { directory } = installed(t);
	const { manifest } = await loadPackage(join(directory, "ear"));
	t.match(manifest, {
		kind: "second-ear",
		languages: ["zh-cmn-Hans-CN"],
		secondEar: { zipformer: { units: "pinyin" }, weights: { margin: 2 } },
	});
	const plain = await installFolder(pinyin, { directory, name: "plain" });
	t.equal(plain.manifest.kind, "zipformer");
	await t.rejects(
		installFolder(text, { directory, name: "no", kind: "second-ear" }),
		{
			name: "PackageError",
			message:
				/can't be a second-ear package: its tokens are not the initials and finals of Chinese syllables$/,
		},
	);
	await t.rejects(
		installFolder(join(directory, "ear"), {
			directory,
			kind: "zipformer",
			replace: true,
		}),
		{ message: /is a second-ear package, not zipformer/ },
	);
});

t.test("it is opened beside a recognizer of Chinese only", async (t) => {
	const { change, open } = installed(t);
	const without = await open();
	t.equal(without.secondEar, undefined);
	await without.close();
	const both = await open("ear");
	t.match(both.secondEar, {
		name: "zipformer-zh-ear",
		weights: { syllables: 1.9 },
	});
	const samples = Float32Array.from({ length: 24_000 }, (_, i) =>
		Math.sin(i * i * 1e-5),
	);
	const evidence = await both.secondEar?.evidence({ samples });
	const [score = 1] = (await evidence?.score([[{ base: "nv" }]])) ?? [];
	t.ok(score < 0);
	await both.close();
	change("main", (it) => ({ ...it, languages: ["zh-cmn-Hans-CN-en-US"] }));
	const mixed = await open("ear");
	t.equal(mixed.secondEar?.name, "zipformer-zh-ear");
	await mixed.close();
	change("main", (it) => ({ ...it, languages: ["ja-JP"] }));
	const other = await open("ear");
	t.equal(other.secondEar, undefined);
	await other.close();
});

t.test("what can't be an ear is refused with a sentence", async (t) => {
	const { directory, change, open } = installed(t);
	const refused = (secondEar: string, message: RegExp) =>
		t.rejects(open(secondEar), { name: "PackageError", message });
	await refused("main", /is a zipformer package, not second-ear$/);
	await refused(
		"none",
		/^there is no folder .*none: copy the model package there, or set model.dir to the folder that has it$/,
	);
	mkdirSync(join(directory, "empty"));
	await refused("empty", /is not a model package: it has no model.json$/);
	const original = readFileSync(join(directory, "ear/model.json"), "utf8");
	const changed = async (
		with_: (manifest: Manifest) => unknown,
		message: RegExp,
	) => {
		writeFileSync(join(directory, "ear/model.json"), original);
		change("ear", with_);
		await refused("ear", message);
	};
	await changed(
		(it) => ({ ...it, languages: ["ja-JP"] }),
		/is a second ear for ja-JP: pinyin only spells zh-cmn-Hans-CN$/,
	);
	await changed(
		(it) => ({ ...it, languages: [] }),
		/is a second ear for no language/,
	);
	for (const [weights, message] of [
		[
			{ ...jointWeights, syllables: "1.8" },
			/secondEar.weights.syllables must be number/,
		],
		[
			{ ...jointWeights, syllables: null },
			/secondEar.weights.syllables must be number/,
		],
		[{ margin: 2 }, /secondEar.weights must have required propert/],
		[
			{ ...jointWeights, other: 1 },
			/secondEar.weights must NOT have additional properties/,
		],
		[
			undefined,
			/secondEar must have required property 'weights'|secondEar.* weights/,
		],
	] as const)
		await changed(
			(it) => ({ ...it, secondEar: { ...it.secondEar, weights } }),
			message,
		);
	writeFileSync(
		join(directory, "ear/model.json"),
		original.replace('"syllables": 1.9', '"syllables": 1e999'),
	);
	await refused("ear", /secondEar.weights.syllables must be <= 1000000/);
	const tokens = readFileSync(join(directory, "ear/tokens.txt"), "utf8");
	const other = tokens.replace(/^zh /m, "zz ");
	writeFileSync(join(directory, "ear/tokens.txt"), other);
	const sha256 = createHash("sha256").update(other).digest("hex");
	await changed(
		(it) => ({
			...it,
			files: {
				...it.files,
				"tokens.txt": { sha256, bytes: Buffer.byteLength(other) },
			},
		}),
		/tokens.txt has no symbols for the syllables zhi: a second ear needs/,
	);
});

t.test(
	"the command line adds it by the catalogue's name, or by kind",
	async (t) => {
		const { directory } = installed(t);
		t.match(added, { code: 0, out: /^zipformer-zh-ear: second-ear, / });
		const { manifest } = await loadPackage(join(packages, "zipformer-zh-ear"));
		t.match(manifest, { licence: "Apache-2.0", source: /^k2-fsa, / });
		for (const flags of [
			["--name", "mine", "--kind", "second-ear"],
			["--name", "zipformer-zh-ear", "--replace"],
		])
			t.match(await add(directory, text, ...flags), {
				code: 1,
				err: /can't be a second-ear package/,
			});
		t.match(await add(directory, pinyin, "--kind", "silero-vad"), {
			code: 2,
			err: /--kind: silero-vad is not one of .*second-ear/,
		});
	},
);

t.test("the doctor proposes it, and checks it", async (t) => {
	const { place, directory, change } = installed(t);
	const { model } = loadConfig({
		environment: { EARSHOT_MODEL_DIR: directory, EARSHOT_MODEL_NAME: "main" },
	}).values;
	const checked = (secondEar: string) =>
		checkSecondEar({ ...model, second_ear: secondEar });
	t.same(await checked(""), [], "only Whisper uses one");
	t.match(await checked("ear"), [
		{ state: "ok" },
		{ state: "ok", says: "for wake words only: main is not Whisper" },
	]);
	change("main", (it) => ({ ...it, languages: ["en-US"] }));
	t.match(await checked("ear"), [
		{ state: "ok" },
		{ state: "warning", says: /^ear is not opened: main does not serve/ },
	]);
	const config = join(place, "earshot.toml");
	writeFileSync(config, "");
	const used = await earshot(["models", "use", "ear"], {
		EARSHOT_CONFIG: config,
		EARSHOT_MODEL_DIR: directory,
		EARSHOT_MODEL_NAME: "main",
	});
	t.match(used, {
		code: 1,
		err: /ear would not be opened: main does not serve its language/,
	});
	t.match(await checked("main"), [
		{
			state: "broken",
			says: "model.second_ear is main, which is a zipformer package",
		},
	]);
	t.match(await checked("none"), [
		{ state: "broken", todo: /^earshot models add zipformer-zh-ear, or/ },
	]);
	if (skipped) return;
	symlinkSync(join(modelDir, "whisper-base"), join(directory, "whisper-base"));
	const proposed = () => checkSecondEar({ ...model, name: "whisper-base" });
	t.match(await proposed(), [
		{
			state: "ok",
			todo: "earshot models add zipformer-zh-ear, then earshot models use zipformer-zh-ear",
		},
	]);
	mkdirSync(join(directory, "zipformer-zh-ear"));
	t.match(await proposed(), [{ todo: "earshot models use zipformer-zh-ear" }]);
});

t.test("an archive of the catalogue is fetched and checked", async (t) => {
	const { place, directory } = installed(t);
	const entries = filesOf(text, "published/");
	const files = filesOf(text).map(({ name, body = "" }) => ({
		name,
		sha256: createHash("sha256").update(body).digest("hex"),
		bytes: body.length,
	}));
	const shop = join(place, "shop");
	mkdirSync(shop);
	writeFileSync(
		join(shop, "ear.tar.gz"),
		tarGz([...entries, { name: "published/clip.wav", body: "RIFF" }]),
	);
	const { url } = await mirror(t, shop);
	const { publicKey, privateKey } = generateKeyPairSync("ed25519");
	const { x = "" } = publicKey.export({ format: "jwk" });
	const entry = {
		name: "fetched",
		kind: "zipformer" as "zipformer" | "second-ear",
		licence: "Apache-2.0",
		source: "a test",
		archive: { url: `${url}/ear.tar.gz`, bytesMax: 10_000_000 },
		files,
	};
	const fetchWith = (changed: Partial<typeof entry>) => {
		const models = [{ ...entry, ...changed }];
		const text = JSON.stringify({ schema: 1, serial: 1, models });
		const location = join(place, "catalogue.json");
		writeFileSync(location, text);
		const signature = sign(null, Buffer.from(text), privateKey);
		writeFileSync(`${location}.sig`, signature.toString("base64"));
		const key = Buffer.from(x, "base64url").toString("base64");
		return fetchModel("fetched", { location, key }, { directory, pauseMs: 1 });
	};
	const [first, ...others] = files;
	const altered = { name: "", bytes: 0, ...first, sha256: "0".repeat(64) };
	await t.rejects(fetchWith({ files: [altered, ...others] }), {
		message: /does not match the catalogue \(sha256 .*\): nothing was kept$/,
	});
	await t.rejects(fetchWith({ files: [{ ...altered, name: "other.onnx" }] }), {
		message: /contains no other.onnx: nothing was kept$/,
	});
	await t.rejects(
		fetchWith({ archive: { ...entry.archive, bytesMax: 1000 } }),
		{ message: /is larger than allowed \(1000 bytes\)$/ },
	);
	await t.rejects(fetchWith({ kind: "second-ear" }), {
		message: /can't be a second-ear package/,
	});
	const { manifest } = await fetchWith({});
	t.match(manifest, { kind: "zipformer", name: "fetched" });
	t.notOk("clip.wav" in manifest.files);
	// earshot's own entries are found without a catalogue, and beside one
	const own = {
		schema: 1 as const,
		serial: 1,
		models: [{ ...entry, name: "own" }],
	};
	const found = await fetchModel(
		"own",
		{ location: "", key: "", own },
		{ directory },
	);
	t.equal(found.manifest.name, "own");
});

t.test("earshot's own catalogue has a valid signature", (t) => {
	const [entry] = ownCatalogue().models;
	t.match(entry, {
		name: "zipformer-zh-ear",
		kind: "second-ear",
		archive: { url: /^https:\/\/github.com\/k2-fsa\// },
	});
	t.end();
});
