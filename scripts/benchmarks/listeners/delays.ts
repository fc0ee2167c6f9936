/**
 * From the end of the speech to the transcript, on an appliance in real time: the client ends the command 0.7 s after the speech, as Home Assistant's own timer
 * does where it is never wrong, or the appliance ends it.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { openOnnx } from "../../../drivers/onnx/session.js";
import { openSilero } from "../../../runtime/models/silero/detector.js";
import type { Clip } from "../clips.js";
import type { Measurement } from "../report.js";
import { freePort, withServer } from "../server.js";
import { median, percentile } from "../statistics.js";
import { readWav, sampleRateHz, toFloat } from "../wav.js";
import { joined, quiet, spokenPart } from "./turn-ends.js";

/** Home Assistant's. */
const chunkSamples = 1024;
const clientTimerSeconds = 0.7;
const quietAfterSeconds = 4;
const format = { rate: sampleRateHz, width: 2, channels: 1 };

export async function measureDelays(
	clips: readonly Clip[],
	count: number,
): Promise<readonly Measurement[]> {
	const commands = await commandsOf(clips, count);
	const [byClient, byDevice] = [await freePort(), await freePort()];
	const delaysMs: [client: number[], device: number[]] = [[], []];
	await withServer(settingsOf(byClient, false), () =>
		withServer(settingsOf(byDevice, true), async () => {
			// one after the other, so that both have the same machine; the first one warms up
			for (const command of [commands[0], ...commands]) {
				if (!command) continue;
				delaysMs[0].push(await delayOf(byClient, command, false));
				delaysMs[1].push(await delayOf(byDevice, command, true));
			}
		}),
	);
	return ["a client's timer of 0.7 s", "the device"].map((who, i) => {
		const delays = (delaysMs[i] ?? []).slice(1);
		return {
			what: `Wyoming: end of speech to transcript, ${commands.length} English commands, ended by ${who}`,
			earshot: `${median(delays).toFixed(0)} ms (p95 ${percentile(delays, 0.95).toFixed(0)})`,
			goal: "-",
		};
	});
}

function settingsOf(port: number, endpointing: boolean) {
	return {
		EARSHOT_WYOMING_ENABLED: "true",
		EARSHOT_WYOMING_HOST: "127.0.0.1",
		EARSHOT_WYOMING_PORT: `${port}`,
		EARSHOT_WYOMING_ENDPOINTING: `${endpointing}`,
		EARSHOT_WYOMING_LANGUAGE: "en-US",
	};
}

async function commandsOf(
	clips: readonly Clip[],
	count: number,
): Promise<readonly Float32Array[]> {
	const silero = await openSilero(
		openOnnx(),
		"models/silero-vad/silero_vad.onnx",
	);
	const english = clips.filter(
		({ language, seconds }) =>
			language === "en" && seconds >= 2 && seconds <= 8,
	);
	const spoken: Float32Array[] = [];
	for (const { path } of english.slice(0, count)) {
		const speech = await spokenPart(
			() => silero.createDetector(),
			toFloat(readWav(path)),
		);
		if (speech) spoken.push(speech);
	}
	return spoken;
}

/** @returns ms from the end of its speech to its transcript. */
async function delayOf(
	port: number,
	command: Float32Array,
	endpointing: boolean,
): Promise<number> {
	const socket = connect(port, "127.0.0.1");
	await once(socket, "connect");
	const answered = transcriptOn(socket);
	const seconds = endpointing ? quietAfterSeconds : clientTimerSeconds;
	const samples = joined(command, quiet(seconds));
	const startMs = performance.now();
	let isAnswered = false;
	void answered.then(() => {
		isAnswered = true;
	});
	for (let at = 0; at < samples.length && !isAnswered; at += chunkSamples) {
		const piece = samples.subarray(at, at + chunkSamples);
		// a microphone has a chunk when its last sample was recorded
		const dueMs = startMs + ((at + piece.length) * 1000) / sampleRateHz;
		await sleep(Math.max(0, dueMs - performance.now()));
		socket.write(chunk(piece));
	}
	if (!isAnswered) socket.write('{"type":"audio-stop"}\n');
	const atMs = await answered;
	socket.destroy();
	return atMs - startMs - (command.length * 1000) / sampleRateHz;
}

/** @returns when it came. */
function transcriptOn(socket: Socket): Promise<number> {
	return new Promise((resolve, reject) => {
		let text = "";
		socket.on("data", (bytes) => {
			text += bytes;
			if (/"type":"transcript",/.test(text)) resolve(performance.now());
		});
		socket.once("close", () => reject(new Error("closed without transcript")));
	});
}

function chunk(samples: Float32Array): Buffer {
	const payload = Buffer.from(
		Int16Array.from(samples, (it) => Math.round(it * 32767)).buffer,
	);
	const line = JSON.stringify({
		type: "audio-chunk",
		data: format,
		payload_length: payload.length,
	});
	return Buffer.concat([Buffer.from(`${line}\n`), payload]);
}
