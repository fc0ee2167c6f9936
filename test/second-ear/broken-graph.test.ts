/** An ear that fails while the appliance runs: the recognizer's own text arrives everywhere, the failure is logged once and each is counted. */
import { createHash } from "node:crypto";
import {
	cpSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { EarshotClient } from "../../runtime/client/earshot-client.js";
import { GraphBuilder } from "../../runtime/models/convert/graph-builder.js";
import { RunningAppliance } from "../e2e/running-appliance.js";
import { eventually } from "../fixtures/eventually.js";
import { realModel } from "../published/cases.js";
import { writeGraph } from "../published/tiny-graphs.js";
import { missing, modelDirectory, sharedAudio } from "../whisper/packages.js";
import { jointModels } from "./joint-models.js";

const skip = missing(modelDirectory, sharedAudio, realModel);
const failures = (lane: string) =>
	`earshot_engine_refinement_failures_total{lane="${lane}"}`;
/** What Whisper makes of the clip alone. */
const own = /中间协会分析/u;
const clip = skip
	? Buffer.of()
	: readFileSync(`${sharedAudio}/zh-aishell-1.wav`);
const headerBytes = 44;

/** A models folder whose ear loads, and fails in each run. */
async function brokenModels(t: Test): Promise<string> {
	const made = await jointModels();
	const folder = t.testdir({});
	for (const name of readdirSync(made))
		if (name === "ear")
			cpSync(join(made, name), join(folder, name), { recursive: true });
		else symlinkSync(join(made, name), join(folder, name));
	const secondEar = join(folder, "ear");
	const joiner = join(secondEar, "joiner.onnx");
	rmSync(joiner);
	writeFailingJoiner(joiner);
	const manifest = JSON.parse(
		readFileSync(join(secondEar, "model.json"), "utf8"),
	);
	const sha256 = createHash("sha256")
		.update(readFileSync(joiner))
		.digest("hex");
	manifest.files["joiner.onnx"] = { sha256, bytes: statSync(joiner).size };
	writeFileSync(join(secondEar, "model.json"), JSON.stringify(manifest));
	return folder;
}

/** Reads a row that its table does not have. */
function writeFailingJoiner(path: string): void {
	const graph = new GraphBuilder("joiner");
	const encoded = graph.input("encoder_out", "float32", ["N", "C"]);
	const decoded = graph.input("decoder_out", "float32", ["N", "C"]);
	const both = graph.op("Add", [encoded, decoded]);
	const zeros = graph.op("Mul", [
		graph.op("ReduceSum", [both, graph.ints(1)], { keepdims: 0 }),
		graph.float(0),
	]);
	const row = graph.op("Cast", [graph.op("Add", [zeros, graph.float(9)])], {
		to: 7,
	});
	const table = graph.floats("table", [2, 197], () => new Float32Array(394));
	graph.op("Gather", [table, row], {}, "logit");
	graph.output("logit", "float32", ["N", 197]);
	writeGraph(path, graph.build(), {});
}

t.test("an appliance with an ear that fails", { skip }, async (t) => {
	const models = await brokenModels(t);
	const earshot = await RunningAppliance.start({
		EARSHOT_MODEL_DIR: models,
		EARSHOT_MODEL_SECOND_EAR: "ear",
	});
	t.teardown(() => earshot.dispose());
	const { url, token } = earshot;
	const recognized = async () => {
		const answer = await earshot.recognize(
			{ lang_type: "zh", format: "wav" },
			clip,
		);
		return ((await answer.json()) as { data: { result: string } }).data.result;
	};
	const counted = (lane: string, atLeast: number) =>
		eventually(
			`${atLeast} failures`,
			async () => (await earshot.metric(failures(lane))) >= atLeast,
		);

	t.test("a short request gets the recognizer's own text", async (t) => {
		t.match(await recognized(), own);
		await counted("live", 1);
	});

	t.test("so does live speech", async (t) => {
		const client = new EarshotClient({ url, token });
		await client.start({ lang_type: "zh", enable_intermediate_result: true });
		for (let at = headerBytes; at < clip.length; at += 3200)
			await client.send(clip.subarray(at, at + 3200));
		t.match((await client.stop()).text, own);
		await counted("live", 2);
	});

	t.test("so does a file", async (t) => {
		const headers = { authorization: `Bearer ${token}` };
		const form = new FormData();
		form.set("file", new Blob([clip]), "one.wav");
		form.set("lang_type", "zh");
		form.set("format", "wav");
		const uploaded = await fetch(`${url}/v1/asrfile/upload`, {
			method: "POST",
			headers,
			body: form,
		});
		const { data } = (await uploaded.json()) as { data: { task_id: string } };
		const segments = await eventually("a transcript", async () => {
			const answer = await fetch(
				`${url}/v1/asrfile/result?task_id=${data.task_id}`,
				{ headers },
			);
			const found = (await answer.json()) as {
				data: { result?: readonly { transcript: string }[] };
			};
			return found.data.result;
		});
		t.match(segments.map((it) => it.transcript).join(""), own);
		await counted("batch", 1);
	});

	t.test("files that are cut short while it runs change nothing", async (t) => {
		for (const name of readdirSync(join(models, "ear")))
			truncateSync(join(models, "ear", name), 100);
		t.match(await recognized(), own);
		await counted("live", 3);
	});

	t.test("each engine has logged the first failure only", async (t) => {
		const lines = earshot.log.filter((it) =>
			it.includes("the second ear failed for a segment"),
		);
		t.equal(lines.length, 2, lines.join("\n"));
		t.match(lines[0], /"level":"error".*"cause"/);
	});
});
