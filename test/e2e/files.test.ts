/** From an upload to a signed callback, with the engine and then the whole server killed on the way. */
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import t from "tap";
import { clipBytes } from "../audio/clips.js";
import { pcmWav } from "../audio/wav-bytes.js";
import { eventually } from "../fixtures/eventually.js";
import { receiver } from "../tasks/running-tasks.js";
import { RunningAppliance } from "./running-appliance.js";

function speech(): Uint8Array {
	const pause = Buffer.alloc(2 * 16_000);
	const clips = ["0870", "0890", "0930"].flatMap((name) => [
		clipBytes(`en-librivox-${name}.wav`),
		pause,
	]);
	return pcmWav(Buffer.concat(clips));
}

/** Asked of the kernel: while a program that lists processes starts on a busy machine, the file may be transcribed. */
function batchEngines(mainPid: number | undefined): number[] {
	const children = `/proc/${mainPid}/task/${mainPid}/children`;
	return readFileSync(children, "utf8")
		.trim()
		.split(" ")
		.filter((pid) => wordsOf(pid).join(" ").includes("--lane batch"))
		.map(Number);
}

/** Of its command line; none where it has ended. */
function wordsOf(pid: string): string[] {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
	} catch {
		return [];
	}
}

t.test("a file survives what happens in the night", async (t) => {
	const { url, count } = await receiver(t);
	const environment = {
		EARSHOT_CALLBACK_SECRET: "S",
		EARSHOT_OUTBOUND_ALLOW: "127.0.0.1",
	};
	const first = await RunningAppliance.start(environment);
	let earshot = first;
	t.teardown(async () => {
		await first.stop("SIGKILL");
		await earshot.dispose();
	});
	const form = new FormData();
	form.set("file", new Blob([speech()]), "night.wav");
	for (const [name, value] of [
		["lang_type", "en-US"],
		["format", "wav"],
		["callback_url", url],
	] as const)
		form.set(name, value);
	const answer = await fetch(`${earshot.url}/v1/asrfile/upload`, {
		method: "POST",
		headers: { authorization: `Bearer ${first.token}` },
		body: form,
	});
	const { status, data } = (await answer.json()) as {
		status: string;
		data: { task_id: string; duration: number };
	};
	t.equal(status, "000000");
	t.equal(data.duration, 19);
	const poll = async () =>
		(
			await fetch(`${earshot.url}/v1/asrfile/result?task_id=${data.task_id}`)
		).json() as Promise<{
			status: string;
			data: { desc?: string; result?: unknown[]; statistics?: object };
		}>;
	t.match(await poll(), { status: "000000", data: { desc: /\w/ } });

	const engines = () => batchEngines(first.process.pid);
	const engine = await eventually("an engine", () => engines()[0]);
	process.kill(engine, "SIGKILL");
	await eventually("another engine", () =>
		engines().some((it) => it !== engine),
	);
	await first.stop("SIGKILL");
	earshot = await RunningAppliance.launch(environment, first.stateDir);

	const [call] = await count(1);
	const hmac = createHmac("sha256", "S").update(call?.body ?? "");
	t.equal(call?.headers["x-earshot-signature"], `sha256=${hmac.digest("hex")}`);
	const callback = JSON.parse(call?.body ?? "{}");
	t.match(callback, { status: "000000", data: { task_id: data.task_id } });
	const polled = await poll();
	t.match(polled, { status: "000000" });
	t.strictSame(callback.data.result, polled.data.result);
	t.strictSame(callback.data.statistics, polled.data.statistics);
	const text = JSON.stringify(polled.data.result);
	for (const words of [/John Dashwood/i, /amiable/i, /selfish/i])
		t.match(text, words);
	t.equal(await earshot.metric('earshot_tasks{state="completed"}'), 1);
	t.ok((await earshot.metric("earshot_task_audio_seconds_total")) > 15);
	const show = async () =>
		(await earshot.command("tasks", "show", data.task_id)).stdout;
	let shown = "";
	// the try is written down when its answer is here; the receiver is done before that
	await eventually(
		"the callback's try",
		async () => {
			shown = await show();
			return /tries +.* 200/.test(shown);
		},
		{ seen: () => shown },
	);
	t.match(shown, /state +completed/);
	t.match(shown, /tries +.* 200/);

	const removed = await fetch(
		`${earshot.url}/v1/asrfile/tasks/${data.task_id}`,
		{
			method: "DELETE",
			headers: { authorization: `Bearer ${first.token}` },
		},
	);
	t.equal(removed.status, 200);
	t.match(await poll(), { status: "220404" });
});
