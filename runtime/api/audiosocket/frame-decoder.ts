/**
 * Frames of Asterisk's AudioSocket: a byte that says what it is, two with the length of what follows (big-endian), and that. What is not whole yet is kept: a
 * frame has 64 KiB at most.
 */
export interface AudioSocketFrame {
	readonly kind: number;
	readonly payload: Uint8Array;
}

export const frameKinds = {
	hangUp: 0x00,
	uuid: 0x01,
	dtmf: 0x03,
	error: 0xff,
} as const;

/** Signed 16-bit little-endian mono, by the kind of its frames. */
export const rateHzByKind: ReadonlyMap<number, number> = new Map([
	[0x10, 8000],
	[0x11, 12_000],
	[0x12, 16_000],
	[0x13, 24_000],
	[0x14, 32_000],
	[0x15, 44_100],
	[0x16, 48_000],
	[0x17, 96_000],
	[0x18, 192_000],
]);

const headerBytes = 3;

export class AudioSocketDecoder {
	#kept: Uint8Array = new Uint8Array(0);

	/** Of the frame that is not whole yet, if any of it is here. */
	get begun(): number | undefined {
		return this.#kept[0];
	}

	/** @param bytes cut anywhere. @returns the frames that are whole; their payloads are only valid until the next call. */
	*accept(bytes: Uint8Array): Generator<AudioSocketFrame, void, void> {
		const whole =
			this.#kept.length === 0 ? bytes : Buffer.concat([this.#kept, bytes]);
		let at = 0;
		try {
			while (whole.length - at >= headerBytes) {
				const kind = whole[at] as number;
				const length =
					((whole[at + 1] as number) << 8) | (whole[at + 2] as number);
				const end = at + headerBytes + length;
				if (end > whole.length) break;
				const payload = whole.subarray(at + headerBytes, end);
				at = end;
				yield { kind, payload };
			}
		} finally {
			this.#kept = whole.slice(at);
		}
	}
}
