/**
 * The bytes of every token of a byte-level BPE, and which token has given bytes. Whisper has fifty thousand: as small arrays, or as keys of a map, they take
 * 20 MB that every garbage collection scans, and half a second of every start. Here they are one array, found by a hash of their bytes.
 */

/** FNV-1a, 32 bits (the hash's published constants). */
const hashStart = 0x811c9dc5;
const hashPrime = 0x01000193;
/** Of a rank: Whisper has fifty thousand. */
const digitsMax = 6;
const [blank, equalsSign, zero] = [0x20, 0x3d, 0x30]; // what is less than a blank is white space too
const notBase64 = 0xff;
/** Six bits by character. */
const sixBits = new Uint8Array(128).fill(notBase64);
for (const [value, character] of [
	..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
].entries())
	sixBits[character.charCodeAt(0)] = value;
/** Places for each token: few of them collide. */
const placesEach = 2;

export class TokenBytes {
	/** Of all tokens, concatenated. */
	readonly #bytes: Uint8Array;
	/** By token, where its bytes begin and end in `#bytes`. */
	readonly #begins: number[] = [];
	readonly #ends: number[] = [];
	/** Open addressing: a token + 1, or 0 where the place is free. Its length is a power of two. */
	#places: Int32Array | undefined;

	/** @param ranks lines of `<base64 bytes> <rank>`; a token is a rank. @throws when a line has another form. */
	constructor(ranks: string) {
		this.#bytes = new Uint8Array(ranks.length); // base64 is longer
		let written = 0;
		for (let from = 0; from < ranks.length; ) {
			const found = ranks.indexOf("\n", from);
			const to = found < 0 ? ranks.length : found;
			written = this.#readLine(ranks, from, to, written);
			from = to + 1;
		}
	}

	/** Character by character: a string and a match for each of fifty thousand lines take twice as long. @returns where the bytes end. */
	#readLine(ranks: string, from: number, to: number, begin: number): number {
		let last = to;
		while (last > from && ranks.charCodeAt(last - 1) <= blank) last--;
		let at = from;
		while (at < last && ranks.charCodeAt(at) <= blank) at++;
		if (at === last) return begin;
		let bits = 0;
		let count = 0;
		let end = begin;
		for (; at < last; at++) {
			const value = sixBits[ranks.charCodeAt(at)] ?? notBase64;
			if (value === notBase64) break;
			bits = ((bits << 6) | value) & 0xffff;
			count += 6;
			if (count < 8) continue;
			count -= 8;
			this.#bytes[end++] = bits >> count;
		}
		const padded = at;
		while (at < last && ranks.charCodeAt(at) === equalsSign) at++;
		const space = at++;
		let token = 0;
		for (const digits = at; at < last && at < digits + digitsMax; at++) {
			const digit = ranks.charCodeAt(at) - zero;
			if (digit < 0 || digit > 9) break;
			token = token * 10 + digit;
		}
		const isRank =
			space - padded <= 2 &&
			ranks.charCodeAt(space) === blank &&
			at > space + 1 &&
			at === last;
		if (!isRank) {
			const line = ranks.slice(from, Math.min(last, from + 40));
			throw new Error(`tokenizer ranks: not a rank: ${line}`);
		}
		this.#begins[token] = begin;
		this.#ends[token] = end;
		return end;
	}

	/** @returns none for a token that the ranks do not have, as the control tokens. */
	bytesOf(token: number): Uint8Array {
		return this.#bytes.subarray(
			this.#begins[token] ?? 0,
			this.#ends[token] ?? 0,
		);
	}

	/** The token that consists of `bytes[begin..end)`; undefined if none does. */
	tokenOf(bytes: Uint8Array, begin: number, end: number): number | undefined {
		this.#places ??= this.#index();
		const last = this.#places.length - 1;
		let place = hash(bytes, begin, end) & last;
		for (;;) {
			const token = (this.#places[place] as number) - 1;
			if (token < 0) return undefined;
			if (this.#consistsOf(token, bytes, begin, end)) return token;
			place = (place + 1) & last;
		}
	}

	#index(): Int32Array {
		const wanted = this.#begins.length * placesEach;
		const places = new Int32Array(2 ** Math.ceil(Math.log2(wanted + 1)));
		const last = places.length - 1;
		this.#begins.forEach((begin, token) => {
			const end = this.#ends[token] as number;
			// one id in Whisper's file may have no bytes ("="): no text encodes to it
			if (begin === end) return;
			let place = hash(this.#bytes, begin, end) & last;
			while (places[place] !== 0) place = (place + 1) & last;
			places[place] = token + 1;
		});
		return places;
	}

	#consistsOf(
		token: number,
		bytes: Uint8Array,
		begin: number,
		end: number,
	): boolean {
		const own = this.#begins[token] as number;
		if ((this.#ends[token] as number) - own !== end - begin) return false;
		for (let i = 0; i < end - begin; i++)
			if (this.#bytes[own + i] !== bytes[begin + i]) return false;
		return true;
	}
}

function hash(bytes: Uint8Array, begin: number, end: number): number {
	let value = hashStart;
	for (let i = begin; i < end; i++)
		value = Math.imul(value ^ (bytes[i] as number), hashPrime);
	return value ^ (value >>> 15);
}
