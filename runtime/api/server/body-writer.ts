/**
 * The body of an answer, piece by piece, at the pace of the client. Two ways, as uWebSockets.js has them: chunked, where nobody knows the length (the server keeps
 * what did not go out, and says when it has), or against a known length (what did not go out is ours to offer again from where it stopped).
 */
import type { HttpResponse } from "uWebSockets.js";

/** Larger ones are cut: what did not go out is offered again as a whole. */
const pieceBytesMax = 256 * 1024;

export class BodyWriter {
	readonly #res: HttpResponse;
	readonly #totalBytes: number | undefined;
	readonly #isAlive: () => boolean;
	readonly #onOver: () => void;
	#sentBytes = 0;
	#wake: (() => void) | undefined;

	/**
	 * After status and headers were written.
	 * @param isAlive nothing is called on the response once it is not.
	 * @param onOver the last byte is out: from this moment on it is not.
	 */
	constructor(
		res: HttpResponse,
		totalBytes: number | undefined,
		isAlive: () => boolean,
		onOver: () => void,
	) {
		this.#onOver = onOver;
		this.#res = res;
		this.#totalBytes = totalBytes;
		this.#isAlive = isAlive;
		res.onWritable(() => {
			this.wake();
			return true;
		});
	}

	/** Resolves when more may come, or the client is gone. @throws Error for more than the known length */
	async write(piece: string | Uint8Array): Promise<void> {
		const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
		for (let at = 0; at < bytes.byteLength; at += pieceBytesMax)
			await this.#writePart(bytes.subarray(at, at + pieceBytesMax));
	}

	/** No piece follows. @throws Error where less came than the known length */
	end(endConnection: boolean): void {
		if (!this.#isAlive()) return;
		if (this.#totalBytes !== undefined && this.#totalBytes !== this.#sentBytes)
			throw new Error("a body is shorter than its length");
		this.#res.cork(() => this.#res.end(undefined, endConnection));
		this.#onOver();
	}

	/** Whoever waits looks again. */
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
