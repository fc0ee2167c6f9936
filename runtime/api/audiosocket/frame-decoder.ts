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

	/**
	 * @param bytes cut anywhere.
	 * @returns the frames that are whole; audio of one rate that follows itself is one, since a frame may have a single sample. Payloads are only valid until the
	 * next call.
	 */
	*accept(bytes: Uint8Array): Generator<AudioSocketFrame, void, void> {
		const whole =
			this.#kept.length === 0 ? bytes : Buffer.concat([this.#kept, bytes]);
		const audio = new AudioRun(whole.length);
		let at = 0;
		try {
			while (whole.length - at >= headerBytes) {
				const kind = whole[at] as number;
				const length =
					((whole[at + 1] as number) << 8) | (whole[at + 2] as number);
				const from = at + headerBytes;
				if (from + length > whole.length) break;
				if (audio.kind !== kind && audio.kind !== undefined) yield audio.take();
				at = from + length;
				if (rateHzByKind.has(kind)) audio.add(kind, whole, from, at);
				else yield { kind, payload: whole.subarray(from, at) };
			}
			if (audio.kind !== undefined) yield audio.take();
		} finally {
			this.#kept = whole.slice(at);
		}
	}
}

/** Fewer bytes are copied one by one: a view of them would cost more. */
const copiedByCall = 32;

/** Payloads of audio frames, one behind the other. */
class AudioRun {
	readonly #bytes: Buffer;
	#from = 0;
	#to = 0;
	/** Of its frames; undefined while there is none. */
	kind: number | undefined;

	constructor(bytesMax: number) {
		this.#bytes = Buffer.allocUnsafe(bytesMax);
	}

	add(kind: number, source: Uint8Array, from: number, to: number): void {
		this.kind = kind;
		if (to - from >= copiedByCall) {
			this.#bytes.set(source.subarray(from, to), this.#to);
			this.#to += to - from;
			return;
		}
		for (let at = from; at < to; at++)
			this.#bytes[this.#to++] = source[at] as number;
	}

	take(): AudioSocketFrame {
		const payload = this.#bytes.subarray(this.#from, this.#to);
		const kind = this.kind as number;
		this.#from = this.#to;
		this.kind = undefined;
		return { kind, payload };
	}
}
