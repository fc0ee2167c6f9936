/** What is installed in the folder of models, and what is refused: tiny models in published form, intact and damaged. */
import {
	cpSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	symlinkSync,
	truncateSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import t, { type Test } from "tap";
import { installFolder } from "../../runtime/models/package/install.js";
import { loadPackage } from "../../runtime/models/package/model-package.js";
import { replaceFolder } from "../../runtime/models/package/placing.js";
import {
	writeTinyZipformer,
	zipformer2States,
} from "../published/tiny-graphs.js";

function places(t: Test) {
	const folder = t.testdir({ models: {}, stick: {} });
	const stick = join(folder, "stick");
	const zipformer = join(stick, "sherpa-onnx-streaming-zipformer");
	writeTinyZipformer(zipformer, zipformer2States(), 6);
	return { directory: join(folder, "models"), stick, zipformer };
}

t.test(
	"an unusable model is refused with a message, and leaves nothing",
	async (t) => {
		const refusals: Record<
			string,
			[spoil: (folder: string) => void, message: RegExp]
		> = {
			"a part is missing": [
				(it) => rmSync(join(it, "joiner-epoch-99-avg-1.onnx")),
				/there is no joiner\*\.onnx/,
			],
			"a graph is cut off": [
				(it) => truncateSync(join(it, "encoder-epoch-99-avg-1.onnx"), 1000),
				/is not an ONNX file, or was truncated/,
			],
			"no graph at all": [
				(it) =>
					writeFileSync(join(it, "encoder-epoch-99-avg-1.onnx"), "<html>"),
				/is not an ONNX file, or was truncated/,
			],
			"a link out of the folder": [
				(it) => {
					rmSync(join(it, "tokens.txt"));
					symlinkSync("/etc/passwd", join(it, "tokens.txt"));
				},
				/there is no tokens\.txt that is a file \(links, .* cp -rL/,
			],
			"a graph that is a link, as in the cache of Hugging Face": [
				(it) => {
					const graph = join(it, "joiner-epoch-99-avg-1.onnx");
					renameSync(graph, join(it, "blob"));
					symlinkSync("blob", graph);
				},
				/there is no joiner\*\.onnx that is a file \(links, .* cp -rL/,
			],
			"symbols of gigabytes": [
				(it) => truncateSync(join(it, "tokens.txt"), 3e9),
				/tokens\.txt is too large/,
			],
			"another encoder": [
				(it) =>
					cpSync(
						join(it, "joiner-epoch-99-avg-1.onnx"),
						join(it, "encoder-epoch-99-avg-1.onnx"),
					),
				/is of type unnamed/,
			],
		};
		for (const [name, [spoil, message]] of Object.entries(refusals)) {
			const { directory, zipformer } = places(t);
			const before = readdirSync(directory);
			spoil(zipformer);
			await t.rejects(
				installFolder(zipformer, { directory }),
				{ name: "PackageError", message },
				name,
			);
			t.same(readdirSync(directory), before, name);
		}
	},
);

t.test(
	"a package with a link, an altered file or an unknown kind is refused",
	async (t) => {
		const { directory, stick, zipformer } = places(t);
		await installFolder(zipformer, { directory, name: "tiny" });
		const copies = {
			link: (it: string) => {
				cpSync(join(it, "tokens.txt"), join(stick, "elsewhere"));
				rmSync(join(it, "tokens.txt"));
				symlinkSync(resolve(stick, "elsewhere"), join(it, "tokens.txt"));
			},
			altered: (it: string) => {
				const path = join(it, "decoder.onnx");
				const bytes = readFileSync(path);
				bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1;
				writeFileSync(path, bytes);
			},
			unknown: (it: string) => {
				const path = join(it, "model.json");
				const text = readFileSync(path, "utf8");
				writeFileSync(
					path,
					text.replace('"kind": "zipformer"', '"kind": "tdnn"'),
				);
			},
			climbing: (it: string) => {
				const path = join(it, "model.json");
				const text = readFileSync(path, "utf8");
				writeFileSync(path, text.replace('"tokens.txt"', '"../tokens.txt"'));
			},
		};
		const messages = {
			link: /is a link: a package consists of plain files/,
			altered: /decoder\.onnx was altered/,
			unknown:
				/of kind "tdnn", which this version of earshot does not support; it supports whisper, zipformer/,
			climbing: /the files of a package must be in its folder/,
		};
		for (const [name, spoil] of Object.entries(copies)) {
			const folder = join(stick, name);
			mkdirSync(folder);
			cpSync(join(directory, "tiny"), folder, { recursive: true });
			spoil(folder);
			const manifest = join(folder, "model.json");
			writeFileSync(
				manifest,
				readFileSync(manifest, "utf8").replace(
					'"name": "tiny"',
					`"name": "${name}"`,
				),
			);
			await t.rejects(
				installFolder(folder, { directory }),
				{
					name: "PackageError",
					message: messages[name as keyof typeof messages],
				},
				name,
			);
			t.notOk(existsSync(join(directory, name)), name);
			t.notOk(
				readdirSync(directory).some((it) => it.startsWith(".")),
				name,
			);
		}
	},
);

t.test(
	"texts are installed with a model, unless they are large or no files",
	async (t) => {
		const { directory, stick, zipformer } = places(t);
		const path = join(zipformer, "LICENSE");
		const add = () =>
			installFolder(zipformer, { directory, name: "tiny", replace: true });
		writeFileSync(join(zipformer, "NOTICE"), "by somebody");
		writeFileSync(path, "MIT");
		const { manifest } = await add();
		t.ok("LICENSE" in manifest.files && "NOTICE" in manifest.files);
		for (const make of [
			() => truncateSync(path, 3e9),
			() => mkdirSync(path),
			() => symlinkSync(join(stick, "elsewhere"), path),
		]) {
			make();
			const { manifest } = await add();
			t.notOk("LICENSE" in manifest.files, `${make}`);
			t.ok("NOTICE" in manifest.files);
			rmSync(path, { recursive: true });
		}
	},
);

t.test(
	"leftovers of an interrupted installation are removed by the next one, a day later",
	async (t) => {
		const { directory, zipformer } = places(t);
		for (const [name, hoursAgo] of [
			[".adding-old", 25],
			[".unpacking-old", 25],
			[".removing-old", 25],
			[".removing-new", 1],
			[".unpacking-new", 1],
			[".downloads", 25],
			["somebody's", 25],
		] as const) {
			const folder = join(directory, name);
			mkdirSync(folder);
			const then = new Date(Date.now() - hoursAgo * 3_600_000);
			utimesSync(folder, then, then);
		}
		await installFolder(zipformer, { directory, name: "tiny" });
		t.same(readdirSync(directory).sort(), [
			".downloads",
			".removing-new",
			".unpacking-new",
			"somebody's",
			"tiny",
		]);
	},
);

t.test(
	"a package whose replacement was interrupted by a power cut is there again",
	async (t) => {
		const { directory, zipformer } = places(t);
		await installFolder(zipformer, { directory, name: "tiny" });
		renameSync(join(directory, "tiny"), join(directory, ".old-tiny"));
		await installFolder(zipformer, { directory, name: "other" });
		t.same(readdirSync(directory).sort(), ["other", "tiny"]);
		await loadPackage(join(directory, "tiny"));
		renameSync(join(directory, "tiny"), join(directory, ".old-tiny"));
		await t.rejects(installFolder(zipformer, { directory, name: "tiny" }), {
			message: /already exists: .*--replace/,
		});
		// after the second of the two renames
		const old = join(directory, ".old-tiny");
		mkdirSync(old);
		const then = new Date(Date.now() - 25 * 3_600_000);
		utimesSync(old, then, then);
		await installFolder(zipformer, { directory, name: "third" });
		t.same(readdirSync(directory).sort(), ["other", "third", "tiny"]);
		await loadPackage(join(directory, "tiny"));
	},
);

t.test(
	"an existing package of the same name stays, unless --replace is set",
	async (t) => {
		const { directory, zipformer } = places(t);
		const add = (options: { replace?: boolean; licence?: string }) =>
			installFolder(zipformer, { directory, name: "tiny", ...options });
		await add({});
		await t.rejects(add({}), { message: /already exists: .*--replace/ });
		await add({ replace: true, licence: "MIT" });
		const manifest = readFileSync(join(directory, "tiny/model.json"), "utf8");
		t.match(manifest, /"licence": "MIT"/);
	},
);

t.test(
	"if a new package can't be moved into place, the old one stays",
	async (t) => {
		const { directory } = places(t);
		const old = join(directory, "old");
		mkdirSync(old);
		writeFileSync(join(old, "model.json"), "{}");
		// no folder can be moved into itself, and the old one was moved away before that
		await t.rejects(replaceFolder(directory, old), { code: "EINVAL" });
		t.strictSame(readdirSync(old), ["model.json"]);
		t.strictSame(readdirSync(directory), ["old"]);
	},
);
