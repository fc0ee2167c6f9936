/** The executable, started as a user would: it serves, and reports errors. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
	closeSync,
	copyFileSync,
	openSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import t from "tap";
import type { ToCopy } from "../../runtime/engine/child/pool/copy-protocol.js";
import {
	flavours,
	libraryFiles,
	type NodeRelease,
	usualFlavour,
} from "../../scripts/executable/target.js";
import { earshot } from "../cli/earshot.js";
import { RunningAppliance, repository } from "../e2e/running-appliance.js";
import { tinyModel } from "../e2e/tiny-model.js";
import { onSmallDisk, skipMounts } from "../fixtures/small-disk.js";
import { buildInto, builtExecutable } from "./built-executable.js";
import { faultsOf } from "./cyclonedx.js";

interface Ended {
	readonly code: number;
	readonly stdout: string;
	readonly stderr: string;
}

const built = await builtExecutable();
const skip = typeof built === "string" ? built : false;
const path = typeof built === "string" ? "" : built.path;
const needsMounts = skip || skipMounts;
const libraries = libraryFiles({
	architecture: "x64",
	node: flavours[usualFlavour] as NodeRelease,
})
	.map(({ name }) => name)
	.sort();

/** For `doctor`, which asks ffmpeg much and reads all models, where the test is of neither. */
const nothingElse = { EARSHOT_MODEL_DIR: "/nowhere", PATH: "/nowhere" };

/** A command that needs a native library. */
const create = ["token", "create", "--name", "a", "--scope", "asr"];

function makeToken(
	dir: string,
	environment: Readonly<Record<string, string>>,
	program = path,
): Promise<Ended> {
	const state = { EARSHOT_STATE_DIR: join(dir, "state") };
	return command([program, ...create], { ...state, ...environment });
}

async function command(
	[file = "", ...args]: readonly string[],
	environment: Readonly<Record<string, string>>,
): Promise<Ended> {
	const { PATH = "" } = process.env;
	const env = { PATH, HOME: "/nowhere", ...environment };
	return promisify(execFile)(file, args, { env }).then(
		(output) => ({ code: 0, ...output }),
		(error: Ended) => error,
	);
}

/** The same with a separate file system mounted for it alone. */
function onMount(
	at: string,
	options: string,
	environment: Readonly<Record<string, string>>,
	dir: string,
): Promise<Ended> {
	const state = { EARSHOT_STATE_DIR: join(dir, "state") };
	const words = onSmallDisk(at, options, [path, ...create]);
	return command(words, { ...state, ...environment });
}

t.test("its server", { skip }, async (t) => {
	const dir = t.testdir();
	const appliance = await RunningAppliance.launch(
		{ XDG_CACHE_HOME: dir },
		undefined,
		[path, "serve"],
	);
	t.teardown(() => appliance.dispose());
	await appliance.untilHealthy();

	t.test("recognizes the same as the checkout", async (t) => {
		const clip = readFileSync(
			join(repository, "models/whisper-base/probe.wav"),
		);
		const answer = await appliance.recognize(
			{ lang_type: "en", format: "wav" },
			clip,
		);
		const { data } = (await answer.json()) as { data: { result: string } };
		const here = await earshot([
			...["transcribe", "--lang", "en"],
			"models/whisper-base/probe.wav",
		]);
		t.same(here, { code: 0, out: `${data.result}\n`, err: "" });
		const [folder = ""] = readdirSync(join(dir, "earshot"));
		// a minute after its start the server keeps compiled code there, too
		const unpacked = readdirSync(join(dir, "earshot", folder))
			.filter((name) => !name.startsWith("program-"))
			.sort();
		t.strictSame(unpacked, libraries);
	});

	t.test(
		"contains dictionaries and a resampler, and can start further processes",
		async (t) => {
			const { stdout: clip } = await promisify(execFile)(
				"ffmpeg",
				[
					...["-v", "error", "-i", "test/clips/ja-kokoro-station.wav"],
					...["-ar", "48000", "-f", "wav", "-"],
				],
				{ cwd: repository, encoding: "buffer" },
			);
			const answer = await appliance.recognize(
				{ lang_type: "ja", format: "wav", enable_spoken: "true" },
				clip,
			);
			const { data } = (await answer.json()) as { data: { spoken: string } };
			t.match(data.spoken, /トモダチ/);
			const made = await fetch(`${appliance.url}/v1/hotwords`, {
				method: "POST",
				headers: { authorization: `Bearer ${appliance.token}` },
				body: JSON.stringify({
					lang_type: "zh",
					auto_extraction: true,
					words: [
						"上海浦东国际机场的航班信息系统由张江高科技园区的工程师维护。",
					],
				}),
			});
			const { status, data: list } = (await made.json()) as {
				status: string;
				data: unknown;
			};
			t.equal(status, "000000", JSON.stringify(list));
			const cleared = await command([path, "doctor"], {
				EARSHOT_STATE_DIR: appliance.stateDir,
				XDG_CACHE_HOME: t.testdir(),
				...nothingElse,
			});
			t.match(cleared.stdout, /onnxruntime-node: loads/);
			t.match(cleared.stdout, /^\S+ +code: compiled at this start; a server/m);
		},
	);
});

t.test(
	"another copy of the recognizer is the same file",
	{ skip },
	async (t) => {
		const copy = spawn(path, ["recognizer"], {
			stdio: ["ignore", "inherit", "inherit", "ipc"],
			serialization: "advanced",
			env: { XDG_CACHE_HOME: t.testdir() },
		});
		t.teardown(() => copy.kill("SIGKILL"));
		const { EARSHOT_MODEL_DIR = "", EARSHOT_MODEL_NAME = "" } =
			await tinyModel();
		const load: ToCopy = {
			is: "load",
			settings: {
				modelFolder: join(EARSHOT_MODEL_DIR, EARSHOT_MODEL_NAME),
				threads: 1,
				processor: "cpu",
			},
		};
		const answer = once(copy, "message");
		copy.send(load);
		t.strictSame(await answer, [{ is: "ready" }, undefined]);
	},
);

t.test(
	"what V8 compiled of it is kept, and used by later starts",
	{ skip },
	async (t) => {
		const dir = t.testdir();
		const environment = {
			XDG_CACHE_HOME: dir,
			EARSHOT_STATE_DIR: join(dir, "state"),
			...nothingElse,
		};
		const code = async () =>
			/^\S+ +code: (.*)$/m.exec(
				(await command([path, "doctor"], environment)).stdout,
			)?.[1];
		const { code: ended, stderr } = await command(
			[path, "compile-program"],
			environment,
		);
		t.equal(ended, 0, stderr);
		t.equal(await code(), "compiled in advance");
		const [folder = ""] = readdirSync(join(dir, "earshot"));
		const kept = readdirSync(join(dir, "earshot", folder)).filter(
			(name) => !libraries.includes(name),
		);
		t.match(kept, [/^program-[0-9a-f]{16}\.v8$/]);
		const descriptor = openSync(
			join(dir, "earshot", folder, kept[0] ?? ""),
			"r+",
		);
		writeSync(descriptor, "damage", 100_000);
		closeSync(descriptor);
		t.match(await code(), /^compiled at this start/, "not what is damaged");
	},
);

t.test("several that start at once share one folder", { skip }, async (t) => {
	const dir = t.testdir();
	const all = await Promise.all(
		["1", "2", "3"].map((name) =>
			makeToken(join(dir, name), { XDG_CACHE_HOME: dir }),
		),
	);
	for (const { code, stderr } of all) t.equal(code, 0, stderr);
	const folders = readdirSync(join(dir, "earshot"));
	t.equal(folders.length, 1);
	t.strictSame(
		readdirSync(join(dir, "earshot", folders[0] ?? "")).sort(),
		libraries,
	);
});

t.test(
	"a folder that does not allow execution is reported; another one is used",
	{ skip: needsMounts },
	async (t) => {
		const dir = t.testdir({ mounted: {}, tmp: {} });
		const at = join(dir, "mounted");
		const alone = await onMount(
			at,
			"noexec,mode=700",
			{ EARSHOT_UNPACK_DIR: at },
			dir,
		);
		t.equal(alone.code, 1);
		t.match(
			alone.stderr,
			/^earshot: no folder for .*noexec.*EARSHOT_UNPACK_DIR/,
		);
		t.notMatch(alone.stderr, /\n\s+at /, "no stack");
		const second = await onMount(
			at,
			"noexec",
			{ XDG_CACHE_HOME: at, TMPDIR: join(dir, "tmp") },
			dir,
		);
		t.equal(second.code, 0, second.stderr);
	},
);

t.test(
	"a full disk is reported, and left as it was",
	{ skip: needsMounts },
	async (t) => {
		const dir = t.testdir({ mounted: {}, tmp: {} });
		const at = join(dir, "mounted");
		const unpacked = join(at, "unpacked");
		const alone = await onMount(
			at,
			"size=20m",
			{ EARSHOT_UNPACK_DIR: unpacked },
			dir,
		);
		t.equal(alone.code, 1);
		t.match(alone.stderr, /the disk is full/);
		const second = await onMount(
			at,
			"size=20m",
			{
				STATE_DIRECTORY: at,
				EARSHOT_STATE_DIR: join(dir, "state"),
				TMPDIR: join(dir, "tmp"),
			},
			dir,
		);
		t.equal(second.code, 0, second.stderr);
	},
);

t.test(
	"a read-only root is reported; another folder is used",
	{ skip: needsMounts },
	async (t) => {
		const dir = t.testdir({ mounted: {}, tmp: {} });
		const at = join(dir, "mounted");
		const alone = await onMount(
			at,
			"ro",
			{ EARSHOT_UNPACK_DIR: join(at, "x") },
			dir,
		);
		t.match(alone.stderr, /it can't be written to/);
		const second = await onMount(
			at,
			"ro",
			{ XDG_CACHE_HOME: at, TMPDIR: join(dir, "tmp") },
			dir,
		);
		t.equal(second.code, 0, second.stderr);
	},
);

t.test(
	"a flipped byte in it is noticed before it is loaded",
	{ skip },
	async (t) => {
		const dir = t.testdir();
		const damaged = join(dir, "earshot");
		copyFileSync(path, damaged);
		const library = readFileSync(
			join(
				repository,
				"node_modules/onnxruntime-node/bin/napi-v6/linux",
				process.arch,
				"libonnxruntime.so.1",
			),
		);
		const middle = library.subarray(20_000_000, 20_000_064);
		const at = readFileSync(damaged).indexOf(middle);
		const file = openSync(damaged, "r+");
		writeSync(file, Buffer.from([~(middle[0] ?? 0) & 0xff]), 0, 1, at);
		closeSync(file);
		const { code, stderr } = await makeToken(
			dir,
			{ XDG_CACHE_HOME: dir },
			damaged,
		);
		rmSync(damaged);
		t.equal(code, 1);
		t.match(stderr, /^earshot: .*damaged: libonnxruntime\.so\.1/);
	},
);

t.test("it reports its contents", { skip }, async (t) => {
	const dir = t.testdir();
	const { stdout } = await command([path, "licenses"], { HOME: dir });
	for (const part of ["Node.js", "onnxruntime-node", "lmdb", "IPADIC"])
		t.ok(stdout.includes(part), part);
	const bill = await command([path, "licenses", "--bom"], { HOME: dir });
	const whole = JSON.parse(bill.stdout) as {
		components: { name: string; hashes?: object[]; licenses?: object }[];
	};
	const { components } = whole;
	t.strictSame(faultsOf(whole), [], "a good bill of CycloneDX 1.6");
	const [first, ...others] = components;
	const bad = { ...first, licenses: [{ license: { id: "Nobody's" } }] };
	t.match(
		faultsOf({ ...whole, components: [bad, ...others] }).join(),
		/allowed values/,
		"a fault would be found",
	);
	for (const name of ["Node.js", "ws", ...libraries]) {
		const found = components.find((it) => it.name === name);
		t.equal(found?.hashes?.length, 1, name);
	}
	t.strictSame(readdirSync(dir), [], "nothing is unpacked for that");
	const cut = await command(
		["sh", "-c", '"$1" licenses | head -n 1', "sh", path],
		{ HOME: dir },
	);
	t.match(cut.stdout, /^earshot [\d.]+: MIT\n$/);
	t.equal(cut.stderr, "", "a reader that stops reading is no error");
});

t.test(
	"two builds are identical, byte for byte",
	{
		skip:
			skip ||
			(process.env.EARSHOT_BIN ? "EARSHOT_BIN is not built here" : false),
	},
	async (t) => {
		const dir = t.testdir();
		const [sum = ""] = (await buildInto(dir)).split(" ");
		const { stdout } = await promisify(execFile)("sha256sum", [path]);
		t.equal(sum.length, 64);
		t.equal(stdout.slice(0, 64), sum);
	},
);
