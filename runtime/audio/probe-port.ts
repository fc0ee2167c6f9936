/**
 * The probe port: what this room asks of whatever looks into containers. `drivers/ffmpeg` implements it; tests may fake it.
 */
import type { Container } from "./decoder-port.js";

export interface ContainerFacts {
	/** Of the first audio track. */
	readonly channels: number;
	/** Its length as its packets say, not its header; past the limit it is only known to be longer. */
	readonly audioMs: number;
	/** There are moving pictures, too: cover art is none. */
	readonly hasVideo: boolean;
}

export interface ProbeOptions {
	/** What the bytes are; nothing else is tried. */
	readonly container: Container;
	/** Nobody needs to know how much longer it is. */
	readonly durationSecondsMax: number;
	/** Ends the work; the promise then rejects with the signal's reason. */
	readonly signal?: AbortSignal;
}

export interface ContainerProbe {
	/**
	 * The beginning was decoded as a proof that it can be.
	 * @param path of a seekable file. @throws CodedError 200006 where there is no audio or it can't be decoded, 200007 where it is empty
	 */
	probeFile(path: string, options: ProbeOptions): Promise<ContainerFacts>;
}
