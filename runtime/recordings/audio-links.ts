/**
 * Links to stored audio: anyone who has a link may fetch the file until the link expires. The signature is an HMAC over the file's name and the expiry time, with a
 * key that never leaves the state directory: a link can be neither guessed nor extended.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeSecret } from "../disk/secret-file.js";

export const audioPath = "/v1/asr/audio";
const keyFile = "audio-links.key";
const keyBytes = 32;

export class AudioLinks {
	readonly #key: Buffer;

	/** @param dir the state directory; the key is created there at the first start. */
	static open(dir: string): AudioLinks {
		return new AudioLinks(readKey(dir) ?? makeKey(dir));
	}

	constructor(key: Buffer) {
		this.#key = key;
	}

	/** @param baseUrl empty: the link is a path. */
	link(
		baseUrl: string,
		file: string,
		expiresSeconds: number,
		path = audioPath,
	): string {
		const expires = String(Math.floor(expiresSeconds));
		const signature = this.#sign(file, expires).toString("base64url");
		const query = new URLSearchParams({ expires, signature });
		return `${baseUrl}${path}/${file}?${query}`;
	}

	/** @param expires and signature as received, any text. */
	isValid(
		file: string,
		expires: string,
		signature: string,
		nowSeconds: number,
	): boolean {
		if (!/^\d{1,12}$/.test(expires) || Number(expires) < nowSeconds)
			return false;
		const given = Buffer.from(signature, "base64url");
		const right = this.#sign(file, expires);
		return given.length === right.length && timingSafeEqual(given, right);
	}

	#sign(file: string, expires: string): Buffer {
		return createHmac("sha256", this.#key)
			.update(`${file}\n${expires}`)
			.digest();
	}
}

function readKey(dir: string): Buffer | undefined {
	try {
		const key = readFileSync(join(dir, keyFile));
		return key.length === keyBytes ? key : undefined; // a truncated key is replaced; links signed with it are lost
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
		throw error;
	}
}

function makeKey(dir: string): Buffer {
	const key = randomBytes(keyBytes);
	writeSecret(join(dir, keyFile), key);
	return key;
}
