/** `earshot models add` and the other commands, with tiny models in their published form; the commands are those of docs/models.md. */
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import {
	convertCommand,
	wantedNumbers,
} from "../../runtime/cli/models-convert.js";
import type { Quantization } from "../../runtime/models/convert/quantization.js";
import { ctcCapabilities } from "../../runtime/models/ctc/recognizer.js";
import { fireRedCapabilities } from "../../runtime/models/fire-red/recognizer.js";
import { moonshineCapabilities } from "../../runtime/models/moonshine/recognizer.js";
import { nemoTransducerCapabilities } from "../../runtime/models/nemo-transducer/recognizer.js";
import { installFolder } from "../../runtime/models/package/install.js";
import { paraformerCapabilities } from "../../runtime/models/paraformer/recognizer.js";
import { senseVoiceCapabilities } from "../../runtime/models/sense-voice/recognizer.js";
import { streamingCtcCapabilities } from "../../runtime/models/streaming-ctc/recognizer.js";
import { streamingParaformerCapabilities } from "../../runtime/models/streaming-paraformer/recognizer.js";
import { transducerCapabilities } from "../../runtime/models/transducer/recognizer.js";
import { whisperCapabilities } from "../../runtime/models/whisper/recognizer.js";
import { zipformerCapabilities } from "../../runtime/models/zipformer/recognizer.js";
import { skipped } from "../engine/real-lane.js";
import { onSmallDisk, skipMounts } from "../fixtures/small-disk.js";
import { writeMoonshineV2 } from "../kinds/tiny/moonshine.js";
import { writeOrt } from "../kinds/tiny/ort-format.js";
import {
	randomWeights,
	writeCTranslate2,
} from "../models-convert/tiny-whisper.js";
import { filesOf, tarGz } from "../models-package/made-archives.js";
import { writeTinySenseVoice } from "../published/tiny-sense-voice.js";
import { earshot, ended, main } from "./earshot.js";
import { errorsOf } from "./errors-of.js";
import { clip, earshotAt, modelsAndStick } from "./models-and-stick.js";
import { parsed } from "./parsed.js";

t.test(
	"every command of docs/models.md works as described",
	{
		skip: skipped,
	},
	async (t) => {
		const { models, stick } = modelsAndStick(t);
		cpSync(clip, join(stick, "hello.wav"));
		const page = readFileSync("docs/models.md", "utf8");
		const commands = (/```sh\n([\s\S]*?)```/.exec(page)?.[1] ?? "")
			.trim()
			.split("\n");
		const outs: string[] = [];
		for (const command of commands) {
			const [, ...args] = command.replaceAll("/media/usb", stick).split(" ");
			const { code, out, err } = await earshotAt(models, ...args);
			t.same([code, err], [0, ""], command);
			outs.push(out);
		}
		t.equal(commands.length, 4);
		t.match(outs[0], /^zipformer: zipformer, \d+\.\d MB, checked\n$/);
		t.match(outs[1], /zipformer: 5 files verified/);
		t.match(
			outs[2],
			/zipformer +zipformer .* fp32 +Apache-2\.0 +zh-cmn-Hans-CN/,
		);
		t.match(outs[3], /^[^\n]{5,}\n$/, "it prints something, as one line");
	},
);

t.test("the table in docs/models.md matches the kinds", async (t) => {
	const page = readFileSync("docs/models.md", "utf8").replace(/ +/g, " ");
	const yes = (it: boolean) => (it ? "yes" : "no");
	for (const [kind, it] of Object.entries({
		whisper: whisperCapabilities,
		zipformer: zipformerCapabilities,
		"sense-voice": senseVoiceCapabilities,
		transducer: transducerCapabilities,
		"nemo-transducer": nemoTransducerCapabilities,
		ctc: ctcCapabilities,
		"streaming-ctc": streamingCtcCapabilities,
		paraformer: paraformerCapabilities,
		"streaming-paraformer": streamingParaformerCapabilities,
		moonshine: moonshineCapabilities,
		"fire-red": fireRedCapabilities,
	}))
		t.ok(
			page.includes(
				`| \`${kind}\` | ${it.search} | ${yes(it.hotwords)} | ${yes(it.wordTimes)} | ${yes(it.punctuation)} | ${yes(it.streaming)} | ${it.guards.join(", ")} |`,
			),
			kind,
		);
});

t.test("SenseVoice is added and used", { skip: skipped }, async (t) => {
	const { models, stick } = modelsAndStick(t);
	writeTinySenseVoice(join(stick, "Sense Voice"), 7);
	const added = await earshotAt(
		models,
		"models",
		"add",
		join(stick, "Sense Voice"),
	);
	t.match(added, { code: 0, out: /^sense-voice: sense-voice/ });
	const transcribed = await earshotAt(
		models,
		"transcribe",
		"--set",
		"model.name=sense-voice",
		"--lang",
		"zh",
		clip,
	);
	t.equal(transcribed.code, 0, transcribed.err);
	t.match(transcribed.out, /\p{Script=Han}/u);
});

t.test("Moonshine as .ort is added and used", { skip: skipped }, async (t) => {
	const { models, stick } = modelsAndStick(t);
	const folder = join(stick, "moonshine");
	writeMoonshineV2(folder, 62, false);
	for (const graph of ["encoder_model", "decoder_model_merged"]) {
		await writeOrt(join(folder, `${graph}.onnx`), join(folder, `${graph}.ort`));
		rmSync(join(folder, `${graph}.onnx`));
	}
	await t.rejects(installFolder(folder, { directory: models }), {
		name: "PackageError",
		message: /do not say which language it recognizes: say it with --languages/,
	});
	const add = ["models", "add", folder, "--languages", "zh-cmn-Hans-CN"];
	t.match(await earshotAt(models, ...add), { code: 0, out: /^moonshine: / });
	const transcribed = await earshotAt(
		models,
		...["transcribe", "--set", "model.name=moonshine"],
		...["--lang", "zh", "--json", "--words", clip],
	);
	t.equal(transcribed.code, 0, transcribed.err);
	t.match(transcribed.out, /\p{Script=Han}/u);
	t.match(transcribed.out, /"words":/);
});

t.test("an archive of a model is added by its path", async (t) => {
	const { models, stick, zipformer } = modelsAndStick(t);
	const path = join(stick, "tiny.tar.gz");
	writeFileSync(path, tarGz(filesOf(zipformer, "tiny/")));
	const add = (...args: string[]) =>
		earshotAt(models, "models", "add", ...args);
	t.match(await add(path), { code: 0, err: "", out: /^tiny: zipformer, / });
	t.match(await add("https://127.0.0.1/tiny.tar.gz"), {
		code: 2,
		err: /a model from a URL needs --sha256/,
	});
});

t.test(
	"a folder under a name of the catalogue has what the catalogue says of it",
	async (t) => {
		const { models, zipformer } = modelsAndStick(t);
		const add = (...args: string[]) =>
			earshotAt(models, "models", "add", zipformer, ...args);
		const name = "zipformer-multi-streaming";
		t.match(await add("--name", name), { code: 0, err: "" });
		const manifest = () =>
			JSON.parse(readFileSync(join(models, name, "model.json"), "utf8"));
		t.match(manifest(), {
			languages: ["zh-cmn-Hans-CN", "en-US", "ja-JP"],
			edition: /^\d{4}-\d{2}-\d{2}$/,
		});
		const other = ["--replace", "--languages", "zh"];
		t.match(await add("--name", name, ...other), { code: 0, err: "" });
		t.same(manifest().languages, ["zh-cmn-Hans-CN"]);
	},
);

t.test(
	"models are recommended where no control group limits memory",
	async (t) => {
		const recommended = await earshot(["models", "recommend"], {
			EARSHOT_MODEL_DIR: t.testdir(),
			// as Node.js where the kernel has no control groups of memory
			NODE_OPTIONS:
				"--import=data:text/javascript,process.constrainedMemory=()=>0",
		});
		t.match(recommended, { code: 0, out: / with [1-9]\d* MB of memory/ });
		t.match(recommended.out, /^ {2}earshot models add /m);
	},
);

t.test(
	"a small device is not told to give up languages that were asked for",
	async (t) => {
		const recommended = (megabytes: number) =>
			earshot(["models", "recommend", "--lang", "zh,en,ja"], {
				EARSHOT_MODEL_DIR: t.testdir(),
				NODE_OPTIONS: `--import=data:text/javascript,process.constrainedMemory=()=>${megabytes}e6`,
			});
		const { code, out } = await recommended(512);
		t.equal(code, 0);
		t.match(out, /: stay with whisper-base\n/);
		t.notMatch(out, /models use/);
		const more = await recommended(768);
		const lines = more.out.split("\n").filter((it) => /models use/.test(it));
		t.ok(lines.length > 0, more.out);
		for (const line of lines) t.match(line, / --lang (zh|en|ja)$/);
		t.match(more.out, /^ {2}(zh|en|ja) +stays with whisper-base: /m);
	},
);

t.test(
	"the speed of a large model is not taken for whisper-base's",
	async (t) => {
		const recommended = await earshot(["models", "recommend", "--lang", "ja"], {
			EARSHOT_MODEL_DIR: t.testdir(),
			EARSHOT_MODEL_NAME: "parakeet-ja",
			EARSHOT_ENGINE_LIVE_SLOTS: "9",
		});
		t.match(recommended, {
			code: 0,
			out: /; parakeet-ja recognizes about 10 s of speech in a second\n/,
		});
		t.match(
			recommended.out,
			/, 10\.0 times real time\n {2}ja +parakeet-ja /,
			"what was measured is what is expected of it",
		);
	},
);

t.test(
	"a folder that can't be written is named, without a stack",
	async (t) => {
		const { zipformer } = modelsAndStick(t);
		t.match(await earshotAt("/sys/earshot", "models", "add", zipformer), {
			code: 1,
			err: /^earshot: \/sys\/earshot can't be written \((?:EPERM|EACCES|EROFS)\): [^\n]+\n$/,
		});
		t.match(
			await earshotAt(
				join(zipformer, "tokens.txt/m"),
				"models",
				"add",
				zipformer,
			),
			{
				code: 1,
				err: /^earshot: ENOTDIR: [^\n]+\n$/,
			},
		);
	},
);

t.test(
	"a models folder without disk space accepts nothing",
	{ skip: skipped || skipMounts },
	async (t) => {
		const { models: place, stick, zipformer } = modelsAndStick(t);
		const packed = join(stick, "tiny.tar.gz");
		writeFileSync(packed, tarGz(filesOf(zipformer, "tiny/")));
		const add = [process.execPath, main, "models", "add"];
		const tooSmall = /: [\d.]+ MB are needed, [\d.]+ MB are free\n$/;
		// the second seems to have room, until it is written to
		for (const [how, what, message] of [
			["size=64k", zipformer, tooSmall],
			["nr_inodes=5", packed, /the disk is full; nothing was kept\n$/],
		] as const) {
			const [file, ...words] = onSmallDisk(place, how, [...add, what]);
			const ran = await ended(file, words, { EARSHOT_MODEL_DIR: place });
			const expected = { code: 1, out: /^$/, err: message };
			t.match(ran, expected, `${how} ${what}`);
		}
	},
);

t.test(
	"convert: formats for storage and for a GPU, under the current and the former option names",
	async (t) => {
		const folder = t.testdir();
		const from = join(folder, "weights");
		writeCTranslate2(from, randomWeights(7), "float16");
		const made = async (...options: string[]) => {
			const to = join(folder, `to${options.join("").replaceAll("-", "")}`);
			const words = ["models", "convert", "--from", from, "--to", to];
			const { err } = await earshot([...words, ...options]);
			const manifest = readFileSync(join(to, "model.json"), "utf8");
			return { err, numbers: JSON.parse(manifest).quantization };
		};
		t.strictSame(await made(), { err: "", numbers: "int8" });
		t.strictSame(await made("--precision", "fp32"), {
			err: "earshot: --precision is now called --compute\n",
			numbers: "fp32",
		});
		const wanted = async (...options: string[]) => {
			let numbers: Quantization | undefined;
			const command = convertCommand().action((given) => {
				numbers = wantedNumbers(given);
			});
			const all = ["--from", from, "--to", folder, ...options];
			const err = await errorsOf(() => parsed(command, ...all));
			return { err, numbers };
		};
		const stored = await wanted("--storage", "int4");
		t.strictSame(stored, { err: "", numbers: "int4" });
		const computed = await wanted("--compute", "fp16");
		t.strictSame(computed, { err: "", numbers: "half" });
		t.strictSame(await wanted("--quantize", "fp16"), {
			err: "earshot: --quantize is now called --storage\n",
			numbers: "fp16",
		});
		await t.rejects(
			wanted("--storage", "int8", "--precision", "fp16"),
			/'--precision <numbers>' cannot be used with/,
		);
	},
);
