/** A file at the pace of speech: its bytes in small packets, each at its time. A container's bytes are sent at its mean rate. */
import { execFile } from "node:child_process";
import { open } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import type { AudioFile } from "./audio-file.js";

/** Packet length, as of a sound card. */
const packetSeconds = 0.1;
/** For a file of unknown duration: 16 kHz PCM. */
const bytesPerSecondUsual = 32_000;
const bytesPerSecondMin = 250;
const bytesPerSecondMax = 2_000_000;

/** @param speed 1: the pace of speech; 0: as fast as possible. */
export async function* pacedAudio(
	file: AudioFile,
	rawRateHz: number,
	speed: number,
): AsyncGenerator<Uint8Array, void, undefined> {
	const bytesPerSecond =
		file.format === "pcm" ? 2 * rawRateHz : await meanRate(file);
	const packetBytes = Math.ceil(bytesPerSecond * packetSeconds);
	const handle = await open(file.path);
	const startedMs = performance.now();
	try {
		for (let sent = 0; ; ) {
			const packet = Buffer.alloc(packetBytes);
			const { bytesRead } = await handle.read(packet, 0, packetBytes);
			if (bytesRead === 0) return;
			sent += bytesRead;
			if (speed > 0) {
				// the packet is due when its last sample would have been spoken
				const dueMs = (sent * 1000) / bytesPerSecond / speed;
				const earlyMs = startedMs + dueMs - performance.now();
				if (earlyMs > 0) await pause(earlyMs);
			}
			yield packet.subarray(0, bytesRead);
		}
	} finally {
		await handle.close();
	}
}

async function meanRate(file: AudioFile): Promise<number> {
	const seconds = await secondsOf(file.path);
	const rate = seconds > 0 ? file.bytes / seconds : bytesPerSecondUsual;
	return Math.min(Math.max(rate, bytesPerSecondMin), bytesPerSecondMax);
}

/** @returns 0 where ffprobe is missing or does not know the duration. */
async function secondsOf(path: string): Promise<number> {
	try {
		const { stdout } = await promisify(execFile)(
			"ffprobe",
			[
				...["-v", "error", "-protocol_whitelist", "file"],
				...["-show_entries", "format=duration", "-of", "csv=p=0"],
				`file:${path}`,
			],
			{ timeout: 10_000 },
		);
		return Number.parseFloat(stdout) || 0;
	} catch {
		return 0;
	}
}
