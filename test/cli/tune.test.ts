/** `earshot tune`: the choice from given results; that it does not disturb a busy appliance; and one real, quick measurement. */
import { once } from "node:events";
import {
	chmodSync,
	cpSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t, { type Test } from "tap";
import { kernelsOf } from "../../drivers/onnx/session.js";
import { choose, settingsOf } from "../../runtime/cli/tuning/choice.js";
import { untilQuiet, whyNotQuiet } from "../../runtime/cli/tuning/quiet.js";
import type {
	TuningResults,
	TuningRow,
} from "../../runtime/cli/tuning/tuning-results.js";
import { loadConfig } from "../../runtime/config/load.js";
import { installFolder } from "../../runtime/models/package/install.js";
import { modelDir, skipped } from "../engine/real-lane.js";
import {
	writeTinyZipformer,
	zipformer2States,
} from "../published/tiny-graphs.js";
import { earshot } from "./earshot.js";
import { asOtherUser, skipOthers } from "./other-user.js";

/** @param ways threads, beam, times real time */
function resultsOf(
	ways: readonly (readonly [number, number, number])[],
	partialMs = 50,
): TuningResults {
	return {
		model: "m",
		cores: 4,
		clipSeconds: 3,
		rows: ways.map(([threads, beam, speed]) => row(threads, beam, speed)),
		partialMs,
		kernels: [],
		spread: 1,
	};
}

function row(
	threads: number,
	beam: number,
	speed: number,
	processor = "cpu",
): TuningRow {
	const decodeMs = 3000 / speed;
	return { processor, computedBy: processor, threads, beam, decodeMs, speed };
}

t.test("the settings follow from the results", async (t) => {
	const cases: Record<string, [TuningResults, Record<string, number>]> = {
		"more threads help": [
			resultsOf([
				[1, 5, 6],
				[2, 5, 10],
				[4, 5, 16],
				[4, 3, 17],
				[4, 1, 19],
			]),
			{ threads: 4, beam: 5, partial: 240, slots: 14 },
		],
		"more threads hardly help": [
			resultsOf([
				[1, 5, 6],
				[2, 5, 9.5],
				[4, 5, 10],
				[2, 3, 10],
			]),
			{ threads: 2, beam: 5, partial: 240, slots: 8 },
		],
		"more threads harm": [
			resultsOf([
				[1, 5, 6],
				[8, 5, 2],
			]),
			{ threads: 1, beam: 5, partial: 240, slots: 5 },
		],
		"a wide beam takes too long": [
			resultsOf(
				[
					[4, 5, 2],
					[4, 3, 3.2],
					[4, 1, 5],
				],
				333,
			),
			{ threads: 4, beam: 3, partial: 670, slots: 2 },
		],
		"nothing is quick, and a beam costs nothing": [
			resultsOf(
				[
					[4, 5, 0.5],
					[4, 1, 0.51],
				],
				6000,
			),
			{ threads: 4, beam: 5, partial: 5000, slots: 1 },
		],
		"nothing is quick, and a beam is dear": [
			resultsOf([
				[4, 5, 0.5],
				[4, 1, 0.9],
			]),
			{ threads: 4, beam: 1, partial: 240, slots: 1 },
		],
	};
	for (const [name, [found, wanted]] of Object.entries(cases)) {
		const chosen = choose(found);
		t.ok(
			chosen.every(({ why }) => why.length <= 78),
			`${name}: reasons fit a terminal`,
		);
		t.same(
			settingsOf(chosen),
			{
				"engine.threads": wanted.threads,
				"recognition.beam": wanted.beam,
				"recognition.partial_milliseconds": wanted.partial,
				"engine.live_slots": wanted.slots,
			},
			name,
		);
	}
});

t.test("the faster of two processors is chosen", async (t) => {
	const of = (gpu: number, cpu: number) => {
		const rows = [row(4, 5, gpu, "auto"), row(4, 5, cpu, "cpu")];
		return settingsOf(choose({ ...resultsOf([]), rows }))["engine.processor"];
	};
	t.equal(of(40, 10), "auto");
	t.equal(of(5, 10), "cpu");
});

t.test(
	"who may not write the configuration hears of it before anything is measured",
	{ skip: skipOthers },
	async (t) => {
		const folder = mkdtempSync(join(tmpdir(), "earshot-etc-"));
		t.teardown(() => rmSync(folder, { recursive: true, force: true }));
		chmodSync(folder, 0o755);
		writeFileSync(join(folder, "earshot.toml"), "");
		const environment = {
			EARSHOT_CONFIG: join(folder, "earshot.toml"),
			EARSHOT_MODEL_DIR: join(folder, "no-models"),
			EARSHOT_SERVER_PORT: "1",
		};
		const words = ["tune", "--quick", "--anyway"];
		t.match(asOtherUser(environment, ...words), {
			status: 1,
			stdout: "",
			stderr:
				/^earshot: \S+\/earshot\.d can't be written \(EACCES\): run this as root, or as the user that it belongs to, or with --dry-run\n$/,
		});
		const { stderr } = asOtherUser(environment, ...words, "--dry-run");
		t.match(stderr, /no-models/, "nothing is written, so it goes on");
		chmodSync(folder, 0o777);
		t.match(asOtherUser(environment, ...words).stderr, /no-models/);
		t.same(readdirSync(folder), ["earshot.toml"], "nothing was made");
	},
);

async function appliance(t: Test, busy: () => number) {
	const server = createServer((_, response) =>
		response.end(
			`earshot_lane_slots{lane="live"} 8\nearshot_lane_slots_busy{lane="live"} ${busy()}\nearshot_lane_slots_busy{lane="batch"} 0\n`,
		),
	);
	await new Promise<void>((open) => server.listen(0, "127.0.0.1", open));
	t.teardown(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	const { server: others } = loadConfig({ environment: {} }).values;
	return { server: { ...others, host: "0.0.0.0", port } };
}

t.test("a busy appliance is not disturbed", async (t) => {
	let busy = 2;
	const config = await appliance(t, () => busy);
	t.match(await whyNotQuiet(config, false), /is running 2 recognitions/);
	const waiting = untilQuiet(config);
	busy = 0;
	await waiting;
	t.equal(await whyNotQuiet(config, false), undefined);
	const nobody = { server: { ...config.server, port: 1 } };
	t.equal(await whyNotQuiet(nobody, false), undefined, "no appliance runs");
});

t.test("nor is one that is too busy to answer", async (t) => {
	const server = createServer(() => {}).listen(0, "127.0.0.1");
	await once(server, "listening");
	t.teardown(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	const { values } = loadConfig({ environment: {}, root: t.testdir() });
	const config = { server: { ...values.server, port } };
	t.equal(
		await whyNotQuiet(config, false, 100),
		"the appliance did not answer within 0.1 s",
	);
});

t.test(
	"this device is measured, and the results are in force",
	{ skip: skipped },
	async (t) => {
		const folder = t.testdir({ models: {} });
		const models = join(folder, "models");
		cpSync(join(modelDir, "silero-vad"), join(models, "silero-vad"), {
			recursive: true,
		});
		writeTinyZipformer(join(folder, "zipformer"), zipformer2States(), 6);
		await installFolder(join(folder, "zipformer"), {
			directory: models,
			name: "tiny",
			probe: {
				path: "test/clips/en-librivox-0880.wav",
				language: "zh-cmn-Hans-CN",
				words: ["我"],
			},
		});
		const config = join(folder, "earshot.toml");
		writeFileSync(config, "[recognition]\nbeam = 7\n");
		mkdirSync(join(folder, "earshot.d"));
		writeFileSync(
			join(folder, "earshot.d/70-mine.toml"),
			"[engine]\nlive_slots = 3\n",
		);
		const path = join(folder, "earshot.d/50-tune.toml");
		writeFileSync(path, '[engine]\nkernels = "none"\n'); // an earlier run chose that
		const environment = {
			EARSHOT_CONFIG: config,
			EARSHOT_MODEL_DIR: models,
			EARSHOT_MODEL_NAME: "tiny",
			EARSHOT_SERVER_PORT: "1",
		};
		const { code, out, err } = await earshot(
			["tune", "--quick", "--anyway"],
			environment,
		);
		t.same([code, err], [0, ""]);
		t.match(out, /^processor +threads +beam +time +times real time$/m);
		t.match(out, /^cpu +\d+ +5 +\d+ ms +[\d.]+$/m);
		t.ok(
			out.split("\n").every((it) => it.length <= 80 || it.includes(folder)),
			"it fits a terminal",
		);
		t.match(
			out,
			/engine\.live_slots is also set in .*70-mine\.toml, which takes precedence/,
		);
		t.match(readFileSync(path, "utf8"), /^# Written by earshot tune, for tiny/);
		const { values, origins } = loadConfig({ environment });
		t.equal(origins.get("recognition.beam"), path);
		t.not(values.recognition.beam, 7);
		t.equal(origins.get("engine.threads"), path);
		t.equal(values.engine.live_slots, 3);
		t.equal(values.engine.kernels, "auto");
		for (const { name, instructions } of kernelsOf("auto"))
			t.match(
				out,
				new RegExp(`^${name} +${instructions ?? "by ONNX Runtime"}$`, "m"),
				`${name} is measured as it is in force`,
			);
	},
);
