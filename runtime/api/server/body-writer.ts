/**
 * Writes the body of an answer piece by piece, at the client's pace. uWebSockets.js has two ways: chunked, for an unknown length (the server buffers what could
 * not be sent, and calls back when it has been), or with a known length (we offer what could not be sent again, from where it stopped).
 */
import type { HttpResponse } from "uWebSockets.js";

/** Larger pieces are split: what could not be sent is offered again as a whole. */
export const pieceBytesMax = 256 * 1024;

export class BodyWriter {
	readonly #res: HttpResponse;
	readonly #totalBytes: number | undefined;
	readonly #isAlive: () => boolean;
	readonly #onOver: () => void;
	#sentBytes: number;
	#wake: (() => void) | undefined;

	/**
	 * Created after status and headers were written, and perhaps some of the body.
	 * @param isAlive once false, nothing is called on the response any more.
	 * @param onOver the last byte is out: the response is no longer alive.
	 */
	constructor(
		res: HttpResponse,
		totalBytes: number | undefined,
		isAlive: () => boolean,
		onOver: () => void,
	) {
		this.#onOver = onOver;
		this.#res = res;
		this.#sentBytes = res.getWriteOffset();
		this.#totalBytes = totalBytes;
		this.#isAlive = isAlive;
		res.onWritable(() => {
			this.wake();
			return true;
		});
	}

	/** Resolves when more may be written, or the client has disconnected. @throws Error above the known length */
	async write(piece: string | Uint8Array): Promise<void> {
		const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
		for (let at = 0; at < bytes.byteLength; at += pieceBytesMax)
			await this.#writePart(bytes.subarray(at, at + pieceBytesMax));
	}

	/** The last piece was written. @throws Error below the known length */
	end(): void {
		if (!this.#isAlive()) return;
		if (this.#totalBytes !== undefined && this.#totalBytes !== this.#sentBytes)
			throw new Error("a body is shorter than its length");
		this.#res.cork(() => this.#res.end());
		this.#onOver();
	}

	/** Lets a waiting write check again. */
	wake(): void {
		const wake = this.#wake;
		this.#wake = undefined;
		wake?.();
	}

	async #writePart(part: Uint8Array): Promise<void> {
		if (!this.#isAlive() || part.byteLength === 0) return;
		if (this.#totalBytes !== undefined) {
			await this.#offer(part, this.#totalBytes);
			return;
		}
		let roomLeft = true;
		this.#res.cork(() => {
			roomLeft = this.#res.write(part);
		});
		if (!roomLeft) await this.#writable();
	}

	async #offer(part: Uint8Array, totalBytes: number): Promise<void> {
		const target = this.#sentBytes + part.byteLength;
		if (target > totalBytes)
			throw new Error("a body is longer than its length");
		while (this.#isAlive() && this.#sentBytes < target) {
			const rest = part.subarray(part.byteLength - (target - this.#sentBytes));
			const offset = this.#res.getWriteOffset();
			let ok = true;
			let isOver = false;
			this.#res.cork(() => {
				[ok, isOver] = this.#res.tryEnd(rest, totalBytes);
			});
			if (ok) this.#sentBytes = target;
			else this.#sentBytes += this.#res.getWriteOffset() - offset;
			if (isOver) this.#onOver();
			else if (!ok) await this.#writable();
		}
	}

	#writable(): Promise<void> {
		if (!this.#isAlive()) return Promise.resolve();
		return new Promise((resolve) => {
			this.#wake = resolve;
		});
	}
}
