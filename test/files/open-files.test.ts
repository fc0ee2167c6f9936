/** A streamed answer holds a file open only while it is being read. EARSHOT_ROUNDS: requests per route, instead of 50. */
import { readdirSync, readlinkSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import t from "tap";
import { AudioLinks } from "../../runtime/recordings/audio-links.js";
import {
	sharedAudioFile,
	sharedAudioPath,
} from "../../runtime/tasks/shared-audio.js";
import { eventually } from "../fixtures/eventually.js";
import { type RunningFiles, startFiles } from "./running-files.js";

const rounds = Number(process.env.EARSHOT_ROUNDS ?? 50);
const atOnce = 25;
/** More than the kernel buffers for a client that does not read. */
const audioBytes = 8 * 1024 * 1024;
const links = new AudioLinks(Buffer.alloc(32, 7));
const files = await startFiles(t, {
	links,
	overrides: { auth: { rate_per_second: 0 } },
});
const token = await files.makeToken(["asr", "hotwords"]);
const authorization = { Authorization: `Bearer ${token}` };

const paths = {
	"audio shared between devices": await sharedAudio(files),
	"a stored recording": await recording("wav"),
	"a stored recording as it was sent": await recording("pcm"),
	"the result of a file": result(files, "json"),
	"the result of a file as subtitles": result(files, "srt"),
	"a list of tasks": "/v1/asrfile/tasks",
	"a list of hotwords": await hotwords(),
};

async function sharedAudio({ shelf }: RunningFiles): Promise<string> {
	const draft = await shelf.begin();
	await draft.append(new Uint8Array(audioBytes));
	await draft.commit();
	draft.settle();
	const file = sharedAudioFile(draft.id);
	return links.link("", file, Date.now() / 1000 + 3600, sharedAudioPath);
}

async function recording(format: string): Promise<string> {
	const answer = await files.recognize(`lang_type=en&audio_url=${format}`, {
		body: new Uint8Array(audioBytes),
		headers: authorization,
	});
	const { audio_url: url } = answer.data as { audio_url: string };
	await (await fetch(url)).arrayBuffer(); // made when it is fetched first
	return url.slice(files.url.length);
}

function result({ taskService }: RunningFiles, format: string): string {
	const id = format.padEnd(32, "0");
	taskService.put(id);
	taskService.complete(
		id,
		Array.from({ length: 5000 }, (_, i) => ({
			paragraph: 1,
			seg_num: i + 1,
			begin: "00:00:00,000",
			end: "00:00:01,000",
			transcript: "a line of a long transcript",
		})) as never,
	);
	return `/v1/asrfile/result?task_id=${id}&format=${format}`;
}

async function hotwords(): Promise<string> {
	const words = Array.from({ length: 15_000 }, (_, i) => `word number ${i}`);
	const { data } = await files.ask("/v1/hotwords", {
		method: "POST",
		headers: { ...authorization, "Content-Type": "application/json" },
		body: JSON.stringify({ name: "a", lang_type: "en-US", words }),
	});
	const { id } = data as { id: string };
	return `/v1/hotwords/download/${id}`;
}

/** Ends without an answer, or with a part of one. */
function aborted(
	path: string,
	bearer: string,
	afterBytes: number,
): Promise<void> {
	return new Promise((done) => {
		const socket = connect(files.port, "127.0.0.1");
		socket.on("close", () => done());
		socket.on("error", () => {});
		socket.write(
			`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${bearer}\r\n\r\n`,
		);
		if (afterBytes === 0) socket.end(); // read behind the request, before its answer is there
		socket.once("data", () => socket.resetAndDestroy());
	});
}

function head(path: string, bearer: string): Promise<number> {
	return new Promise((done, fail) => {
		const clientRequest = request(
			files.url + path,
			{ method: "HEAD", headers: { Authorization: `Bearer ${bearer}` } },
			(answer) => {
				answer.resume();
				done(answer.statusCode ?? 0);
			},
		);
		clientRequest.on("error", fail);
		clientRequest.end();
	});
}

/** Files of the shelves that this process has open. */
function openAudio(): string[] {
	return readdirSync("/proc/self/fd").flatMap((fd) => {
		try {
			const target = readlinkSync(`/proc/self/fd/${fd}`);
			return /\/[A-Za-z0-9_-]{22}$/.test(target) ? [target] : [];
		} catch {
			return []; // closed meanwhile
		}
	});
}

function nothingOpen(after: string): Promise<boolean> {
	const none = () => openAudio().length === 0;
	const seen = () => `${openAudio().length} are open`;
	return eventually(`no file open after ${after}`, none, { seen });
}

for (const [what, path] of Object.entries(paths))
	t.test(
		`${what}: nothing stays open for a client that does not read`,
		async (t) => {
			const bearer = /hotwords|asr\/audio/.test(path) ? token : files.token;
			for (let round = 0; round < rounds; round += atOnce) {
				const requests = Array.from({ length: atOnce }, () =>
					head(path, bearer),
				);
				for (const status of await Promise.all(requests))
					if (status !== 200) t.equal(status, 200);
			}
			await nothingOpen(`${rounds} times HEAD`);
			for (const afterBytes of [0, 1]) {
				for (let round = 0; round < rounds; round += atOnce)
					await Promise.all(
						Array.from({ length: atOnce }, () =>
							aborted(path, bearer, afterBytes),
						),
					);
				const when = afterBytes === 0 ? "before" : "amid";
				await nothingOpen(`${rounds} clients that left ${when} the answer`);
			}
		},
	);
