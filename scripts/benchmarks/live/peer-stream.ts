/**
 * The peer: WhisperLiveKit's own server with faster-whisper inside, on the same weights, and one speaker at it. Its policy is the published one for Whisper
 * over a sliding window (local agreement of two hypotheses); raw PCM in, the whole shown text out with each message.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import WebSocket from "ws";
import { cacheDirectory, weightsDirectory } from "../cache.js";
import type { ScoredLanguage } from "../scoring.js";
import { freePort } from "../server.js";
import { Speaker } from "./feeding.js";
import type { Shown, Timeline } from "./timeline.js";

export const peerName = "WhisperLiveKit 0.2.26";

const readySecondsMax = 120;
/** After its end of audio; it is given up then. */
const finalSecondsMax = 120;

interface PeerMessage {
	readonly type?: string;
	readonly lines?: readonly { readonly text?: string | null }[];
	readonly buffer_transcription?: string;
}

export class StreamingPeer {
	readonly #child: ChildProcess;
	readonly #port: number;

	private constructor(child: ChildProcess, port: number) {
		this.#child = child;
		this.#port = port;
	}

	/** @returns when its model is loaded. */
	static async start(threads: number): Promise<StreamingPeer> {
		const port = await freePort();
		const log = openSync(join(cacheDirectory, "live-peer.log"), "w");
		const child = spawn(
			join(cacheDirectory, "live-peer/bin/whisperlivekit-server"),
			[
				...["--host", "127.0.0.1", "--port", `${port}`, "--pcm-input"],
				...["--backend", "faster-whisper", "--model_dir", weightsDirectory],
				...["--backend-policy", "localagreement", "--warmup-file", ""],
				...["--log-level", "WARNING"],
			],
			{
				stdio: ["ignore", log, log],
				env: { ...process.env, OMP_NUM_THREADS: `${threads}` },
			},
		);
		closeSync(log);
		const peer = new StreamingPeer(child, port);
		await peer.#untilReady();
		return peer;
	}

	/** While another has its turn it is stopped outright, as the other peers are. */
	pause(): void {
		this.#child.kill("SIGSTOP");
	}

	resume(): void {
		this.#child.kill("SIGCONT");
	}

	async close(): Promise<void> {
		this.resume();
		if (this.#child.exitCode !== null) return;
		this.#child.kill("SIGKILL");
		await once(this.#child, "exit");
	}

	/** Says a clip and ends it at its last sample. */
	async speakAndStop(
		samples: Int16Array,
		language: ScoredLanguage,
	): Promise<Timeline> {
		const socket = new WebSocket(
			`ws://127.0.0.1:${this.#port}/asr?language=${language}`,
		);
		await once(socket, "open");
		const speaker = new Speaker();
		const partials: Shown[] = [];
		const over = new Promise<void>((resolve, reject) => {
			socket.on("message", (data) => {
				const message = JSON.parse(String(data)) as PeerMessage;
				if (message.type === "ready_to_stop") resolve();
				else if (message.lines !== undefined)
					partials.push({ atMs: speaker.nowMs, text: shownText(message) });
			});
			socket.on("close", () => reject(new Error("the peer hung up")));
			socket.on("error", reject);
		});
		over.catch(() => {});
		await speaker.speak(samples, async (packet) => {
			socket.send(packet);
			return true;
		});
		const stoppedAtMs = speaker.nowMs;
		socket.send(new Uint8Array(0));
		const late = setTimeout(() => socket.terminate(), finalSecondsMax * 1000);
		await over;
		clearTimeout(late);
		const atMs = speaker.nowMs;
		socket.removeAllListeners("close").close();
		const text = partials.at(-1)?.text ?? "";
		return { partials, final: { atMs, text }, stoppedAtMs };
	}

	async #untilReady(): Promise<void> {
		const until = performance.now() + readySecondsMax * 1000;
		while (performance.now() < until) {
			if (this.#child.exitCode !== null)
				throw new Error(`the peer exited: ${cacheDirectory}/live-peer.log`);
			const url = `http://127.0.0.1:${this.#port}/health`;
			const answer = await fetch(url).catch(() => undefined);
			if (answer?.ok) return;
			await pause(100);
		}
		throw new Error("the peer does not start");
	}
}

function shownText(message: PeerMessage): string {
	const lines = (message.lines ?? []).map((line) => line.text ?? "");
	return [...lines, message.buffer_transcription ?? ""]
		.map((text) => text.trim())
		.filter((text) => text !== "")
		.join(" ");
}
