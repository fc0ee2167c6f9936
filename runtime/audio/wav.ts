/**
 * Decodes a RIFF/WAVE file as it arrives, in chunks of any size. Lengths in the header are untrusted: nothing is allocated according to them, and the data
 * extends to the end of the file if they are 0, "unknown" or larger than the file.
 */
import { CodedError } from "../errors.js";
import { PcmDecoder } from "./pcm.js";
import {
	chunkHeaderBytes,
	dataBytes,
	ds64Bytes,
	isWave,
	magicBytes,
	padded,
	readChunkHeader,
	readDs64,
} from "./riff.js";
import {
	parseWavFormat,
	type WavFormat,
	wavFormatBytesMax,
	wavFormatBytesMin,
} from "./wav-format.js";

type State =
	| { readonly is: "magic" }
	/** The header of the next chunk. */
	| { readonly is: "chunk" }
	| { readonly is: "fmt"; readonly bytes: number; readonly bodyBytes: number }
	| { readonly is: "ds64"; readonly bytes: number; readonly bodyBytes: number }
	| { readonly is: "skip"; readonly id: string; readonly bytesLeft: number }
	| { readonly is: "data"; readonly bytesLeft: number };

const none = new Float32Array(0);

export class WavDecoder {
	#state: State = { is: "magic" };
	/** Bytes collected for the current state. */
	readonly #scratch = new Uint8Array(wavFormatBytesMax);
	#scratchBytes = 0;
	#format: WavFormat | undefined;
	#pcm: PcmDecoder | undefined;
	/** From a ds64 chunk: the data's size if it exceeds 32 bits. */
	#dataBytes64: number | undefined;

	/** Set once the `fmt ` chunk has been read; with `codec: "other"` there are no samples. */
	get format(): WavFormat | undefined {
		return this.#format;
	}

	/** @returns mono samples at the file's own rate. @throws CodedError 200006 */
	accept(bytes: Uint8Array): Float32Array {
		let rest = bytes;
		while (rest.length > 0 && this.#state.is !== "data")
			rest = this.#header(rest);
		return this.#state.is === "data" ? this.#data(rest) : none;
	}

	/** @throws CodedError 200006 when the file ended before its data began. */
	finish(): void {
		const state = this.#state;
		switch (state.is) {
			case "data":
				return;
			case "magic":
				throw truncated("before the end of its RIFF header");
			case "chunk":
				throw truncated(
					this.#format ? "without a data chunk" : "before its fmt chunk",
				);
			case "fmt":
			case "ds64":
				throw truncated(`inside its ${state.is} chunk`);
			case "skip":
				throw truncated(`inside its ${printable(state.id)} chunk`);
		}
	}

	#data(bytes: Uint8Array): Float32Array {
		if (this.#state.is !== "data" || !this.#pcm) return none;
		const mine = bytes.subarray(0, this.#state.bytesLeft);
		const bytesLeft = this.#state.bytesLeft - mine.length; // may stay Infinity
		this.#state = { is: "data", bytesLeft };
		return this.#pcm.accept(mine);
	}

	/** Consumes some bytes of the header. @returns the remaining bytes. */
	#header(bytes: Uint8Array): Uint8Array {
		const state = this.#state;
		switch (state.is) {
			case "magic":
				return this.#collect(bytes, magicBytes, (head) => this.#magic(head));
			case "chunk":
				return this.#collect(bytes, chunkHeaderBytes, (head) =>
					this.#chunk(head),
				);
			case "fmt":
			case "ds64":
				return this.#collect(bytes, state.bytes, (body) =>
					this.#body(state, body),
				);
			case "skip": {
				const taken = Math.min(state.bytesLeft, bytes.length);
				const bytesLeft = state.bytesLeft - taken;
				this.#state = bytesLeft > 0 ? { ...state, bytesLeft } : { is: "chunk" };
				return bytes.subarray(taken);
			}
			case "data":
				return bytes;
		}
	}

	#collect(
		bytes: Uint8Array,
		wanted: number,
		complete: (collected: Uint8Array) => void,
	): Uint8Array {
		const taken = Math.min(wanted - this.#scratchBytes, bytes.length);
		this.#scratch.set(bytes.subarray(0, taken), this.#scratchBytes);
		this.#scratchBytes += taken;
		if (this.#scratchBytes === wanted) {
			this.#scratchBytes = 0;
			complete(this.#scratch.subarray(0, wanted));
		}
		return bytes.subarray(taken);
	}

	#magic(head: Uint8Array): void {
		if (!isWave(head))
			throw new CodedError("200006", "not a WAV: it has no RIFF/WAVE header");
		this.#state = { is: "chunk" };
	}

	#chunk(head: Uint8Array): void {
		const { id, bytes } = readChunkHeader(head);
		if (id === "data") this.#beginData(bytes);
		else if (id === "fmt ") this.#beginFormat(bytes);
		else if (id === "ds64" && bytes >= ds64Bytes)
			this.#state = { is: "ds64", bytes: ds64Bytes, bodyBytes: bytes };
		else this.#skip(id, padded(bytes));
	}

	#beginFormat(bytes: number): void {
		if (bytes < wavFormatBytesMin)
			throw new CodedError(
				"200006",
				`WAV header has a fmt chunk of ${bytes} bytes (at least ${wavFormatBytesMin} are needed)`,
			);
		const wanted = Math.min(bytes, wavFormatBytesMax);
		this.#state = { is: "fmt", bytes: wanted, bodyBytes: bytes };
	}

	#body(state: State & { is: "fmt" | "ds64" }, body: Uint8Array): void {
		if (state.is === "fmt") this.#format ??= parseWavFormat(body);
		else this.#dataBytes64 = readDs64(body);
		this.#skip(state.is, padded(state.bodyBytes) - state.bytes);
	}

	#skip(id: string, bytesLeft: number): void {
		this.#state =
			bytesLeft > 0 ? { is: "skip", id, bytesLeft } : { is: "chunk" };
	}

	#beginData(declaredBytes: number): void {
		const format = this.#format;
		if (!format)
			throw new CodedError(
				"200006",
				"WAV header has data before its fmt chunk",
			);
		if (format.codec !== "other")
			this.#pcm = new PcmDecoder(format.codec, format.channels);
		const bytesLeft = dataBytes(declaredBytes, this.#dataBytes64);
		this.#state = { is: "data", bytesLeft };
	}
}

function printable(id: string): string {
	return JSON.stringify(id.replace(/[^\x20-\x7e]/g, "?"));
}

function truncated(where: string): CodedError {
	return new CodedError("200006", `WAV is truncated: it ends ${where}`);
}
