/**
 * OpenAI's Realtime interface beside the streaming API, in turn on one server: real speech at its own pace in packets of 40 ms, and when its first text is there;
 * and what a connection costs that says nothing.
 * Usage: scripts/bench realtime [--only PART,PART] [--clips N] [--idle N] [--record]
 * Parts: first, idle. --clips: of each language (default 6); --idle: connections (200).
 */
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import WebSocket from "ws";
import { EarshotClient } from "../../runtime/client/earshot-client.js";
import { langTypes } from "./clips.js";
import { Speaker, withSilenceAfter } from "./live/feeding.js";
import { ms } from "./live/one.js";
import { chooseClips } from "./live/speech.js";
import { residentMegabytes } from "./process-usage.js";
import { judged, type Measurement, report } from "./report.js";
import { type Server, withServer } from "./server.js";
import { median, percentile } from "./statistics.js";
import { readWav } from "./wav.js";

const { values } = parseArgs({
	options: {
		only: { type: "string", default: "first,idle" },
		clips: { type: "string", default: "6" },
		idle: { type: "string", default: "200" },
		record: { type: "boolean", default: false },
	},
});
const silenceMs = 500;
const laterMsMax = 50;
const kibibytesMax = 64;
const atOnce = 50;

type MeasureFirstText = (
	samples: Int16Array,
	langType: string,
) => Promise<number | undefined>;

/** @returns when its first text was there, ms after the clip began. */
function native({ endpoint }: Server): MeasureFirstText {
	return async (samples, langType) => {
		const client = new EarshotClient({
			...endpoint,
			namespace: "SpeechTranscriber",
		});
		await client.start({
			lang_type: langType,
			max_sentence_silence: silenceMs,
		});
		const speaker = new Speaker();
		let first: number | undefined;
		const reading = (async () => {
			for await (const result of client)
				if (result.is === "partial" || result.is === "sentence")
					first ??= speaker.nowMs;
		})();
		reading.catch(() => {});
		await speaker.speak(samples, (packet) => client.send(packet));
		await client.stop();
		await reading;
		return first;
	};
}

function realtime({ endpoint }: Server, delay: string): MeasureFirstText {
	return async (samples, langType) => {
		const socket = await connect(endpoint);
		const speaker = new Speaker();
		let first: number | undefined;
		const cleared = new Promise<void>((done, failed) => {
			socket.on("message", (data) => {
				const { type, error } = JSON.parse(String(data));
				if (type.endsWith("transcription.delta")) first ??= speaker.nowMs;
				if (type === "input_audio_buffer.cleared") done();
				if (type === "error") failed(new Error(error.message));
			});
		});
		const send = (type: string, more: object = {}) =>
			socket.send(JSON.stringify({ type, ...more }));
		const input = {
			format: { type: "audio/pcm", rate: 16_000 },
			transcription: { language: langType, delay },
			turn_detection: { type: "server_vad", silence_duration_ms: silenceMs },
		};
		send("session.update", { session: { audio: { input } } });
		await speaker.speak(samples, async (packet) => {
			const audio = Buffer.from(packet).toString("base64");
			send("input_audio_buffer.append", { audio });
			return true;
		});
		send("input_audio_buffer.commit");
		send("input_audio_buffer.clear");
		await cleared;
		socket.close();
		return first;
	};
}

async function connect({ url, token }: Server["endpoint"]): Promise<WebSocket> {
	const socket = new WebSocket(
		`${url.replace("http", "ws")}/v1/realtime?intent=transcription`,
		{ headers: { Authorization: `Bearer ${token}` } },
	);
	const greeted = once(socket, "message"); // it may come with the upgrade
	await once(socket, "open");
	await greeted;
	return socket;
}

async function measureFirst(): Promise<readonly Measurement[]> {
	const clips = chooseClips(Number(values.clips));
	return withServer({ EARSHOT_AUTH_RATE_PER_SECOND: "0" }, async (server) => {
		const ways = [
			native(server),
			native(server), // what two runs of the same differ by
			realtime(server, "minimal"),
			realtime(server, "low"),
		];
		const later: number[][] = ways.map(() => []);
		for (const clip of clips) {
			const samples = withSilenceAfter(readWav(clip.path), 1);
			const firsts: (number | undefined)[] = [];
			for (const measureFirstText of ways)
				firsts.push(await measureFirstText(samples, langTypes[clip.language]));
			console.log(
				`${clip.name}: ${firsts.map((it) => it?.toFixed(0) ?? "none").join(", ")} ms`,
			);
			const [base] = firsts;
			for (const [at, first] of firsts.entries())
				if (base !== undefined && first !== undefined)
					later[at]?.push(first - base);
		}
		const shown = (at: number) => {
			const all = later[at] as number[];
			return `${ms(median(all))} / ${ms(percentile(all, 0.95))}`;
		};
		const minimal = median(later[2] as number[]);
		return [
			{
				what: `realtime: first delta after the first partial of the streaming API, p50 / p95, delay minimal; low; two partials of the streaming API (${clips.length} clips)`,
				earshot: `${shown(2)}; ${shown(3)}; ${shown(1)}`,
				goal: judged(`minimal p50 <= ${laterMsMax} ms`, minimal <= laterMsMax),
			},
		];
	});
}

async function measureIdle(count: number): Promise<readonly Measurement[]> {
	const room = {
		EARSHOT_AUTH_RATE_PER_SECOND: "0",
		EARSHOT_SERVER_CONNECTIONS_MAX: "8192",
	};
	return withServer(room, async (server) => {
		const some = async () =>
			Promise.all(
				Array.from({ length: atOnce }, () => connect(server.endpoint)),
			);
		// what the first ones cost once is not theirs
		for (const socket of await some()) socket.close();
		await pause(1000);
		const before = residentMegabytes(server.pid);
		const open: WebSocket[] = [];
		while (open.length < count) open.push(...(await some()));
		await pause(1000);
		const after = residentMegabytes(server.pid);
		for (const socket of open) socket.close();
		const each = ((after - before) * 1024) / open.length;
		return [
			{
				what: `realtime: memory of a connection that says nothing (${open.length} at once, ${before.toFixed(1)} -> ${after.toFixed(1)} MB)`,
				earshot: `${each.toFixed(1)} KiB`,
				goal: judged(`< ${kibibytesMax} KiB`, each < kibibytesMax),
			},
		];
	});
}

const parts = values.only.split(",");
const measurements: Measurement[] = [];
if (parts.includes("first")) measurements.push(...(await measureFirst()));
if (parts.includes("idle"))
	measurements.push(...(await measureIdle(Number(values.idle))));
report(measurements, values.record);
