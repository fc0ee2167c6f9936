/**
 * One event of the Wyoming protocol on the wire: a line of JSON (`type`, `version`, and the lengths of what follows), then `data_length` bytes of JSON, then
 * `payload_length` bytes of audio. Data is also read from the line itself, but always written as a block: peers limit the line.
 */

export interface Frame {
	readonly type: string;
	readonly data: Readonly<Record<string, unknown>>;
	/** Audio; empty where there is none. */
	readonly payload: Uint8Array;
}

/** What is sent never carries audio. */
export interface SentFrame {
	readonly type: string;
	readonly data?: Readonly<Record<string, unknown>>;
}

/** Of the protocol, as its Python package counts it. */
const version = "1.10.2";

export function encodeFrame({ type, data }: SentFrame): Uint8Array {
	if (!data) return Buffer.from(`${JSON.stringify({ type, version })}\n`);
	const block = Buffer.from(JSON.stringify(data));
	const line = JSON.stringify({ type, version, data_length: block.length });
	return Buffer.concat([Buffer.from(`${line}\n`), block]);
}
