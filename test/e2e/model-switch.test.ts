/**
 * Another model while a real appliance runs: by SIGHUP and by `earshot models use`, with packages of every published kind; one that does not hear changes
 * nothing, and is tried again when it is asked for again. `EARSHOT_TEST_LONG=1`: the command, and whisper-base.
 */
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t from "tap";
import { installFolder } from "../../runtime/models/package/install.js";
import { eventually } from "../fixtures/eventually.js";
import {
	writeTinyZipformer,
	zipformer2States,
} from "../published/tiny-graphs.js";
import { writeTinySenseVoice } from "../published/tiny-sense-voice.js";
import { RunningAppliance, repository } from "./running-appliance.js";

const clip = join(repository, "test/clips/en-librivox-0880.wav");
const isLong = process.env.EARSHOT_TEST_LONG === "1";
const chinese = "zh-cmn-Hans-CN";

t.test("models change while the appliance runs", async (t) => {
	const place = mkdtempSync(join(tmpdir(), "earshot-switch-"));
	t.teardown(() => rmSync(place, { recursive: true }));
	const models = join(place, "models");
	const config = join(place, "earshot.toml");
	const dropIns = join(place, "earshot.d");
	mkdirSync(dropIns);
	const set = (model: string) =>
		writeFileSync(config, `[model]\nname = "${model}"\n`);
	for (const name of ["silero-vad", ...(isLong ? ["whisper-base"] : [])])
		cpSync(join(repository, "models", name), join(models, name), {
			recursive: true,
		});
	const add = (folder: string, name: string, word: string) =>
		installFolder(join(place, folder), {
			directory: models,
			name,
			replace: true,
			...(folder === "zipformer" && { languages: [chinese] }),
			probe: { path: clip, language: chinese, words: [word] },
		});
	writeTinyZipformer(join(place, "zipformer"), zipformer2States(), 6);
	writeTinySenseVoice(join(place, "sense-voice"), 7);
	await add("zipformer", "first", "我");
	await add("sense-voice", "second", "never said");
	set("first");

	const environment = { EARSHOT_MODEL_DIR: models, EARSHOT_CONFIG: config };
	const earshot = await RunningAppliance.start(environment);
	t.teardown(() => earshot.dispose());
	const logged = () => earshot.log.map((line) => JSON.parse(line));
	/** Reloads, and waits for what is logged of it. */
	const reload = async () => {
		const before = earshot.log.length;
		earshot.process.kill("SIGHUP");
		return eventually("what is logged of the reload", () =>
			logged()
				.slice(before)
				.find(({ msg }) => /new model|switched to/.test(msg)),
		);
	};
	const isUsed = { msg: "switched to another model" };
	const recognize = async (language: string) => {
		const answer = await earshot.recognize(
			{ lang_type: language, format: "wav" },
			readFileSync(clip),
		);
		return (await answer.json()) as {
			status: string;
			data: { result: string };
		};
	};

	const first = await recognize(chinese);
	t.match(first, { status: "000000", data: { result: /\p{Script=Han}/u } });
	t.match(
		await recognize("en-US"),
		{ status: "200008" },
		"it hears Chinese only",
	);

	set("second");
	t.match(await reload(), {
		msg: /^the new model can't be used; keeping the previous one/,
		model: "second",
		before: "first",
		reason: /never said missing/,
	});
	t.same((await recognize(chinese)).data.result, first.data.result, "it stays");

	await add("sense-voice", "second", "的");
	t.match(await reload(), isUsed, "nothing changed but the package");
	t.match(
		await recognize("en-US"),
		{ status: "000000" },
		"its languages are known",
	);
	t.not((await recognize(chinese)).data.result, first.data.result);

	const { token } = earshot;
	const served = async () => {
		const answer = await fetch(`${earshot.url}/v1/models`, {
			headers: { Authorization: `Bearer ${token}` },
		});
		const { data } = (await answer.json()) as {
			data: { id: string; earshot: { serves: string[] } }[];
		};
		return data.find(({ id }) => id === "first")?.earshot.serves;
	};
	await t.rejects(
		earshot.command("--set", "model.name=first", "models", "remove", "second"),
		{ message: /second is in use by the running server \(model\.name\)/ },
		"the configuration may name another one before a reload",
	);
	const used = await earshot.command("models", "use", "first", "--lang", "zh");
	t.match(used.stdout, /^first recognized: /);
	t.match(
		readFileSync(join(dropIns, "62-languages.toml"), "utf8"),
		`by_language = { "${chinese}" = "first" }`,
	);
	t.match(await reload(), isUsed);
	t.same(
		(await recognize(chinese)).data.result,
		first.data.result,
		"it is back",
	);
	t.match(await recognize("en-US"), { status: "000000" }, "by the main model");
	t.match(await health(earshot.url), `${chinese}: first`);
	t.same(await served(), [chinese]);
	writeFileSync(
		join(dropIns, "62-languages.toml"),
		`[model]\nby_language = { "${chinese}" = "first", "ja-JP" = "missing" }\n`,
	);
	t.match(await reload(), isUsed, "a model that is not there stops nothing");
	t.match(await recognize("ja-JP"), { status: "000000" });
	t.match(await health(earshot.url), /ja-JP: \S*missing failed \(/);

	if (!isLong) return;
	const back = "whisper-base";
	const { stdout } = await earshot.command("models", "use", back);
	t.match(stdout, new RegExp(`^${back} recognized: `));
	t.match(
		readFileSync(join(dropIns, "60-model.toml"), "utf8"),
		`name = "${back}"`,
	);
	t.match(await reload(), isUsed);
	t.match(await recognize("en-US"), { data: { result: /young man/ } });
	t.equal(await earshot.metric('earshot_engine_deaths_total{lane="live"}'), 0);
});

async function health(url: string): Promise<string> {
	const answer = await fetch(`${url}/healthz`);
	return JSON.stringify(await answer.json());
}
