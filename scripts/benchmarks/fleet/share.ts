/** Files that wait at one device: done by it alone, and with a second one that is idle; each has one core. */
import { execFileSync } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { Broker } from "../../../test/fleet/broker.js";
import { Listener } from "../../../test/fleet/listener.js";
import { readClips } from "../clips.js";
import { judged, type Measurement } from "../report.js";
import { Server, ServerState } from "../server.js";
import { readWav, wavFile } from "../wav.js";

const goal = 1.7;
const secondsOfFile = 30;

interface Site {
	readonly servers: readonly Server[];
	readonly listener: Listener;
	close(): Promise<void>;
}

export async function measureSharing(
	folder: string,
	files: number,
): Promise<Measurement[]> {
	const talk = talkOf(secondsOfFile);
	const alone = await timed(folder, 1, talk, files);
	const both = await timed(folder, 2, talk, files);
	const ratio = alone / both;
	const speed = (seconds: number) =>
		((files * secondsOfFile) / seconds).toFixed(1);
	return [
		{
			what: `fleet: ${files} files of ${secondsOfFile} s that wait at one device, alone / shared with a second, each on one core`,
			earshot: `${speed(alone)} / ${speed(both)} audio s/s: ${ratio.toFixed(2)} x`,
			goal: judged(`>= ${goal} x`, ratio >= goal),
		},
	];
}

async function timed(
	folder: string,
	devices: number,
	talk: Uint8Array,
	files: number,
): Promise<number> {
	const site = await open(folder, devices);
	try {
		const [owner] = site.servers;
		if (!owner) throw new Error("no server");
		// engines load at their first file, on both: nobody waits for that later
		await done(site, await uploadAll(owner, talk, 2 * devices));
		const sinceMs = performance.now();
		await done(site, await uploadAll(owner, talk, files));
		return (performance.now() - sinceMs) / 1000;
	} finally {
		await site.close();
	}
}

async function open(folder: string, devices: number): Promise<Site> {
	const broker = await Broker.start(folder);
	const listener = await Listener.open(broker.url, ["earshot/#"]);
	const states = Array.from({ length: devices }, () => new ServerState());
	const servers: Server[] = [];
	for (const [core, state] of states.entries()) {
		const server = await Server.spawn(state, {
			EARSHOT_FLEET_URL: broker.url,
			EARSHOT_FLEET_DEVICE: `device-${core}`,
			EARSHOT_FLEET_SHARE: "true",
			EARSHOT_OUTBOUND_ALLOW: "127.0.0.1",
			EARSHOT_ENGINE_THREADS: "1",
			EARSHOT_ENGINE_BATCH_IDLE_ONLY: "false",
			EARSHOT_ENGINE_BATCH_NICENESS: "0",
			EARSHOT_AUTH_RATE_PER_SECOND: "0",
		});
		// its engines are started later, or at this moment: they inherit it
		execFileSync("taskset", ["-a", "-p", "-c", `${core}`, `${server.pid}`]);
		await server.untilAnswering();
		servers.push(server);
	}
	return {
		servers,
		listener,
		close: async () => {
			await Promise.all(servers.map((it) => it.stop()));
			await listener.close();
			await broker.kill();
			for (const state of states) state.remove();
		},
	};
}

async function uploadAll(
	{ endpoint }: Server,
	talk: Uint8Array,
	files: number,
): Promise<string[]> {
	const ids: string[] = [];
	for (let i = 0; i < files; i++) {
		const form = new FormData();
		form.append("lang_type", "en-US");
		form.append("format", "wav");
		form.append("file", new Blob([talk as Uint8Array<ArrayBuffer>]), "a.wav");
		const answer = await fetch(`${endpoint.url}/v1/asrfile/upload`, {
			method: "POST",
			headers: { authorization: `Bearer ${endpoint.token}` },
			body: form,
		});
		const { data } = (await answer.json()) as { data: { task_id: string } };
		ids.push(data.task_id);
	}
	return ids;
}

async function done({ listener }: Site, ids: readonly string[]): Promise<void> {
	for (const id of ids) {
		const { text } = await listener.until((it) =>
			it.topic.endsWith(`tasks/${id}`),
		);
		if (!text.includes('"Completed"')) throw new Error(text);
	}
	await pause(1000); // both are idle again
}

function talkOf(seconds: number): Uint8Array {
	const clips = (readClips() ?? []).filter((it) => it.language === "en");
	const parts: Int16Array[] = [];
	let left = seconds * 16_000;
	for (let i = 0; left > 0; i++) {
		const clip = clips[i % clips.length];
		if (!clip) throw new Error("no clips");
		const samples = readWav(clip.path);
		parts.push(samples.subarray(0, left), new Int16Array(8000));
		left -= samples.length + 8000;
	}
	return wavFile(Int16Array.from(parts.flatMap((it) => [...it])));
}
