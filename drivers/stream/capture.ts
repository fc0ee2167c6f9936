/**
 * A stream of the network as a capture device: ffmpeg connects to it, takes its sound and leaves its pictures. What has no clock is paced by whoever reads;
 * what ends or says nothing is an error, and is opened again by them.
 */
import { access, constants } from "node:fs/promises";
import {
	type CaptureDevice,
	CaptureError,
	type CaptureRequest,
} from "../../runtime/microphones/capture-port.js";
import { standingArgv } from "../ffmpeg/argv.js";
import { requireExecutable } from "../ffmpeg/executable.js";
import { Subprocess } from "../ffmpeg/subprocess.js";

/** Below the time after which a capture process is given up: nothing may be left behind. */
const silentMsMax = 10_000;

/** Of connecting and reading, where ffmpeg has such a limit of its own; microseconds. */
const timeout = String(silentMsMax * 1000);

type Trusted = NonNullable<CaptureRequest["stream"]>["trusted"];

/** Only the sound is asked for, over the connection that asks. No address leads to a file. */
function optionsOf(url: string, trusted: Trusted): readonly string[] {
	// its RTSP has no way to check a certificate: what is set here never reaches the connection
	if (/^rtsps?:/i.test(url))
		return [
			...["-rtsp_transport", "tcp", "-allowed_media_types", "audio"],
			...["-protocol_whitelist", "rtsp,rtp,udp,tcp,tls"],
		];
	return [
		...["-rw_timeout", timeout],
		...["-protocol_whitelist", "http,https,tls,tcp,crypto"],
		...(/^https:/i.test(url) ? certificateOptions(trusted) : []),
	];
}

function certificateOptions(trusted: Trusted): string[] {
	if (trusted === undefined) return [];
	const check = ["-tls_verify", "1"];
	return trusted === "system" ? check : [...check, "-ca_file", trusted.file];
}

/** @throws CaptureError */
export async function openStreamCapture(
	request: CaptureRequest,
): Promise<CaptureDevice> {
	const program = await requireExecutable("ffmpeg", "ffmpeg").catch(
		(error: Error) => {
			throw new CaptureError("ENOENT", "ffmpeg", error.message);
		},
	);
	const { stream } = request;
	if (typeof stream?.trusted === "object")
		await requireReadable(stream.trusted.file);
	const url = withLogin(request.device, stream?.login);
	const command = standingArgv([
		...[program, "-nostdin", "-hide_banner", "-v", "error"],
		...["-threads", "1", ...optionsOf(url, stream?.trusted), "-i", url],
		...["-map", "0:a:0", "-ac", String(request.channels)],
		...["-ar", String(request.rateHz), "-flush_packets", "1"],
		...["-f", "s16le", "pipe:1"],
	]);
	// a capture process that is killed can't end it, and a silent stream never notices: the kernel does it
	const child = await Subprocess.start("ignore", {
		argv: ["setpriv", "--pdeathsig", "KILL", "--", ...command],
		secrets: [url, request.device, stream?.login ?? url],
	});
	const device = new StreamCapture(child, request);
	await device.begin();
	return device;
}

/** ffmpeg goes on without it, and blames the camera. */
async function requireReadable(caFile: string): Promise<void> {
	try {
		await access(caFile, constants.R_OK);
	} catch (error) {
		const { code = "EIO" } = error as NodeJS.ErrnoException;
		throw new CaptureError(code, "ca_file", `${caFile} can't be read`);
	}
}

function withLogin(device: string, login: string | undefined): string {
	if (login === undefined) return device;
	const url = new URL(device);
	const at = login.indexOf(":");
	url.username = encodeURIComponent(at < 0 ? login : login.slice(0, at));
	url.password = at < 0 ? "" : encodeURIComponent(login.slice(at + 1));
	return url.href;
}

class StreamCapture implements CaptureDevice {
	readonly format = "S16_LE";
	readonly channels: number;
	readonly rateHz: number;
	readonly periodFrames: number;
	readonly #child: Subprocess<"ignore">;
	readonly #output: AsyncIterator<Buffer>;
	readonly #frameBytes: number;
	#rest: Buffer = Buffer.alloc(0);

	constructor(
		child: Subprocess<"ignore">,
		{ channels, rateHz, periodMs }: CaptureRequest,
	) {
		this.#child = child;
		this.#output = child.stdout[Symbol.asyncIterator]();
		this.channels = channels;
		this.rateHz = rateHz;
		this.periodFrames = Math.round((rateHz * periodMs) / 1000);
		this.#frameBytes = 2 * channels;
	}

	/** Until there is sound. @throws CaptureError */
	async begin(): Promise<void> {
		try {
			await this.#fill();
		} catch (error) {
			await this.close();
			throw error;
		}
	}

	async read(): Promise<Uint8Array> {
		await this.#fill();
		const frames = Math.min(
			this.periodFrames,
			Math.floor(this.#rest.length / this.#frameBytes),
		);
		const bytes = this.#rest.subarray(0, frames * this.#frameBytes);
		this.#rest = this.#rest.subarray(bytes.length);
		return bytes;
	}

	/** There are no overruns: a stream waits. */
	async recover(error: CaptureError): Promise<void> {
		throw error;
	}

	async close(): Promise<void> {
		await this.#child.end();
	}

	/** Until a frame is there. */
	async #fill(): Promise<void> {
		while (this.#rest.length < this.#frameBytes) {
			const timer = setTimeout(() => this.#child.kill(silent()), silentMsMax);
			const next = await this.#output.next();
			clearTimeout(timer);
			if (next.done) {
				await this.#child.exit();
				throw new CaptureError(
					"ENODATA",
					"read",
					this.#child.stderr.lastLine() || "the stream ended",
				);
			}
			this.#rest =
				this.#rest.length === 0
					? next.value
					: Buffer.concat([this.#rest, next.value]);
		}
	}
}

function silent(): CaptureError {
	const seconds = silentMsMax / 1000;
	return new CaptureError(
		"ETIMEDOUT",
		"read",
		`the stream sent nothing for ${seconds} s`,
	);
}
