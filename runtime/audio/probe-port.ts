/**
 * The probe port: the interface to a tool that inspects containers. `drivers/ffmpeg` implements it; tests may fake it.
 */
import type { Container } from "./decoder-port.js";

export interface ContainerFacts {
	/** Channels of the first audio track. */
	readonly channels: number;
	/** Its length by its packets, not by its header; beyond the limit it is only known to be longer. */
	readonly audioMs: number;
	/** Whether there is a video track; cover art does not count. */
	readonly hasVideo: boolean;
}

export interface ProbeOptions {
	/** Actual format of the bytes; no other is tried. */
	readonly container: Container;
	/** Longer audio is not measured exactly. */
	readonly durationSecondsMax: number;
	/** Ends the work; the promise then rejects with the signal's reason. */
	readonly signal?: AbortSignal;
}

export interface ContainerProbe {
	/**
	 * Also decodes the beginning, to check that decoding works.
	 * @param path of a seekable file. @throws CodedError 200006 if there is no audio or it can't be decoded, 200007 if it is empty
	 */
	probeFile(path: string, options: ProbeOptions): Promise<ContainerFacts>;
}
