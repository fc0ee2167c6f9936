/** Out of descriptors: whoever asks for what needs one is told to come back, nobody else notices, and the process stays. */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import t from "tap";
import { eventually } from "../fixtures/eventually.js";
import { LiveClient } from "../live/live-client.js";
import { connectionsOf, descriptorsAtRest } from "./open-descriptors.js";
import { program, RunningAppliance, repository } from "./running-appliance.js";
import { tinyModel } from "./tiny-model.js";

const run = promisify(execFile);
const clip = readFileSync(join(repository, "models/whisper-base/probe.wav"));
const limit = 176;
/** A process has more open before it serves. */
const none = 8;

const earshot = await RunningAppliance.start(
	{
		...(await tinyModel()),
		EARSHOT_OUTBOUND_ALLOW: "127.0.0.1",
		// on a busy machine it takes a while until a limit is set
		EARSHOT_LIMITS_STREAM_START_SECONDS: "600",
		// nobody is there: it goes on trying
		EARSHOT_FLEET_URL: "mqtt://127.0.0.1:1",
	},
	undefined,
	["prlimit", `--nofile=${limit}:${limit}`, ...program, "serve"],
);
t.teardown(() => earshot.dispose());
const { hostname, port } = new URL(earshot.url);
const pid = earshot.process.pid as number;

interface Answer {
	readonly http: number;
	readonly retryAfter: string | undefined;
	readonly text: string;
	readonly status: string | undefined;
}

/** Over connections that stay: a new one would need a descriptor. */
function asker() {
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	return {
		close: () => agent.destroy(),
		ask: (
			method: string,
			path: string,
			body?: string | Uint8Array,
			type = "application/json",
		): Promise<Answer> =>
			new Promise((done, fail) => {
				const clientRequest = request(
					{
						agent,
						method,
						path,
						host: hostname,
						port,
						headers: {
							Authorization: `Bearer ${earshot.token}`,
							...(body && { "Content-Type": type }),
						},
					},
					async (response) => {
						let text = "";
						for await (const bytes of response) text += String(bytes);
						done({
							http: response.statusCode ?? 0,
							retryAfter: response.headers["retry-after"],
							text: text.slice(0, 300),
							status: /"status":"(\d+)"/.exec(text)?.[1],
						});
					},
				);
				clientRequest.on("error", fail);
				clientRequest.end(body);
			}),
	};
}

async function formOf(fields: Record<string, string | Blob>) {
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) form.set(name, value);
	const response = new Response(form);
	const type = response.headers.get("content-type") ?? "";
	return { body: new Uint8Array(await response.arrayBuffer()), type };
}

const openNow = () => readdirSync(`/proc/${pid}/fd`).length;

/** So many more may be opened. */
async function leaveFree(count: number): Promise<void> {
	const used = await descriptorsAtRest(pid);
	let soft = 0;
	for (let free = 0; free < count || used.has(soft); soft++)
		if (!used.has(soft)) free++;
	await setLimit(soft);
}

async function setLimit(soft: number): Promise<void> {
	await run("prlimit", [`--pid=${pid}`, `--nofile=${soft}:${limit}`]);
}

const recognize = "/v1/asr/api?lang_type=en&format=wav";
const wav = { lang_type: "en", format: "wav" };

t.test("a file waits for an engine that can't be started", async (t) => {
	const { ask, close } = asker();
	t.teardown(close);
	const form = await formOf({ ...wav, file: new Blob([clip]) });
	await eventually("the backup of the start, whose files are closed then", () =>
		earshot.metric("earshot_backup_timestamp_seconds"),
	);
	await eventually(
		"the connections of the start, which are kept for some seconds",
		async () => {
			await ask("GET", "/healthz"); // its own is not closed as well
			return connectionsOf(pid, Number(port)) === 1;
		},
	);
	await leaveFree(3); // enough for a file, not for a process and its pipes
	t.teardown(() => setLimit(limit));
	const taken = await ask("POST", "/v1/asrfile/upload", form.body, form.type);
	t.equal(taken.http, 200, taken.text);
	const id = /"task_id":"(\w+)"/.exec(taken.text)?.[1];
	const deaths = () =>
		earshot.log.filter((it) => /"lane":"batch".*can't be started/.test(it));
	await eventually("five vain starts", () => deaths().length >= 5, {
		seen: () => ({ deaths: deaths().length, log: earshot.log.slice(-4) }),
	});
	await setLimit(limit);
	await eventually("the transcript", async () => {
		const { text } = await ask("GET", `/v1/asrfile/result?task_id=${id}`);
		return /"transcript":"[^"\s]/.test(text);
	});
});

t.test("where no file can be opened, who needs one is told", async (t) => {
	const { ask, close } = asker();
	t.teardown(close);
	const stored = await ask("POST", `${recognize}&audio_url=wav`, clip);
	const link = /"audio_url":"[^"]*?(\/v1[^"]*)"/.exec(stored.text)?.[1] ?? "";
	t.equal((await ask("GET", link)).http, 200, "it is converted by now");
	const form = await formOf({ ...wav, file: new Blob([clip]) });
	const fetched = await formOf({ ...wav, file_url: "http://127.0.0.1:1/a" });
	const extracted = JSON.stringify({
		name: "a",
		lang_type: "zh",
		auto_extraction: true,
		words: ["北京大学的研究人员发表了关于量子计算的论文。"],
	});
	const live = await LiveClient.open(earshot.url, { token: earshot.token });
	const plain = await LiveClient.open(earshot.url, { token: earshot.token });
	await setLimit(none);
	t.teardown(() => setLimit(limit));

	live.start({ audio_url: "wav" });
	t.match((await live.receive("TaskFailed")).header, { status: "100004" });
	t.equal(await live.closed, 1013);
	plain.start();
	await plain.receive("RecognitionStarted");
	plain.socket.close();

	const needy: [string, ...Parameters<typeof ask>][] = [
		["a recording", "POST", `${recognize}&audio_url=mp3`, clip],
		["an upload", "POST", "/v1/asrfile/upload", form.body, form.type],
		["a file_url", "POST", "/v1/asrfile/upload", fetched.body, fetched.type],
		["a fetched recording", "GET", link],
		["keywords", "POST", "/v1/hotwords", extracted],
	];
	for (const [what, ...args] of needy) {
		const { http, status, retryAfter, text } = await ask(...args);
		t.match({ http, status }, { http: 503, status: "100004" }, what + text);
		t.ok(Number(retryAfter) > 0, `${what}: Retry-After`);
	}
	for (const [what, ...args] of [
		["health", "GET", "/healthz"],
		["speech", "POST", recognize, clip],
		["lists", "GET", "/v1/hotwords"],
		[
			"a list",
			"POST",
			"/v1/hotwords",
			JSON.stringify({ name: "b", lang_type: "en", words: ["alpha"] }),
		],
	] as [string, ...Parameters<typeof ask>][]) {
		const { http, text } = await ask(...args);
		t.equal(http, 200, `${what}: ${text}`);
	}
	const { stdout } = await run("pgrep", ["-P", String(pid)]);
	for (const child of stdout.trim().split("\n"))
		try {
			process.kill(Number(child), "SIGKILL");
		} catch {
			// the one of files has ended meanwhile: it was idle
		}
	await eventually("the engine to be missed", async () => {
		return (await ask("GET", "/healthz")).http === 503;
	});
	await setLimit(limit);
	await earshot.untilHealthy();
	for (const [what, ...args] of needy) {
		const { http, text } = await ask(...args);
		t.equal(http, what === "a file_url" ? 400 : 200, `${what}: ${text}`);
	}
	t.equal(earshot.process.exitCode, null);
});

t.test("connections never take what files need", async (t) => {
	const sockets: Socket[] = [];
	t.teardown(() => {
		for (const socket of sockets) socket.destroy();
	});
	const { ask, close } = asker();
	t.teardown(close);
	await ask("GET", "/healthz");
	for (let i = 0; i < 2 * limit; i++) {
		const socket = connect(Number(port), hostname);
		socket.on("error", () => {});
		sockets.push(socket);
	}
	await pause(500); // for what does not happen there is no event
	const open = openNow();
	t.ok(open < limit - 32, `${open} of ${limit} descriptors`);
	const before = ticks();
	await pause(1000);
	t.ok(ticks() - before < 70, "the processor rests"); // hundredths of a second
	const answer = await ask("POST", `${recognize}&audio_url=wav`, clip);
	t.equal(answer.http, 200, answer.text);
});

t.test("a storm at every door is answered or turned away", async (t) => {
	const form = await formOf({ ...wav, file: new Blob([clip]) });
	const fetched = await formOf({ ...wav, file_url: `${earshot.url}/healthz` });
	const seen = new Map<string, number>();
	const note = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
	const post = async (path: string, body: Uint8Array, type?: string) => {
		const { ask, close } = asker();
		await ask("POST", path, body, type).then(
			({ http, status }) => note(`${http} ${status}`),
			() => note("turned away"),
		);
		close();
	};
	const speak = async () => {
		const { token, url } = earshot;
		const client = await LiveClient.open(url, { token }).catch(() => undefined);
		if (!client) {
			note("turned away");
			return;
		}
		client.start({ audio_url: "wav", connect_timeout: 5 });
		client.audio(clip);
		client.stop();
		await client.closed;
		note(client.names.at(-1) ?? "turned away");
	};
	await Promise.all(
		Array.from({ length: 22 }, () => [
			post(`${recognize}&audio_url=wav`, clip),
			post("/v1/asrfile/upload", form.body, form.type),
			post("/v1/asrfile/upload", fetched.body, fetched.type),
			speak(),
			speak(),
		]).flat(),
	);
	t.comment(JSON.stringify(Object.fromEntries(seen)));
	for (const what of seen.keys())
		t.match(
			what,
			/^(200 000000|400 200009|415 200006|503 100004|429 100005|turned away|RecognitionCompleted|TaskFailed)$/,
		);
	t.equal(earshot.process.exitCode, null);
	const { ask, close } = asker();
	t.teardown(close);
	const after = await ask("POST", `${recognize}&audio_url=wav`, clip);
	t.equal(after.http, 200, after.text);
});

/** Processor time of the process so far, in 1/100 s. */
function ticks(): number {
	const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	return Number(fields[11]) + Number(fields[12]); // utime, stime: proc(5)
}
