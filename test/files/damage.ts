/** Damage to bytes: flipped bits, lost or repeated bytes, and syntax of a parser in the wrong place. */
import { below, pick, type Random } from "../fuzz/random.js";

export type Damage = {
	/** Position, as a fraction of all bytes. */
	readonly at: number;
} & (
	| { readonly is: "flip"; readonly bit: number }
	| { readonly is: "put-in"; readonly text: string }
	| { readonly is: "lose"; readonly bytes: number }
	| { readonly is: "double" | "end" }
);

/** @param texts that may be inserted. @param lostMax bytes that may be lost. */
export function someDamage(
	random: Random,
	texts: readonly string[],
	lostMax: number,
): Damage {
	const at = random();
	const luck = random();
	if (luck < 0.35) return { at, is: "flip", bit: below(random, 8) };
	if (luck < 0.55) return { at, is: "lose", bytes: below(random, lostMax) };
	if (luck < 0.65 || texts.length === 0)
		return { at, is: luck < 0.6 ? "end" : "double" };
	return { at, is: "put-in", text: pick(random, texts) };
}

export function damaged(whole: Uint8Array, all: readonly Damage[]): Buffer {
	let bytes: Buffer = Buffer.from(whole);
	for (const one of all) bytes = damagedOnce(bytes, one);
	return bytes;
}

function damagedOnce(bytes: Buffer, damage: Damage): Buffer {
	const at = Math.floor(damage.at * bytes.length);
	const [before, behind] = [bytes.subarray(0, at), bytes.subarray(at)];
	switch (damage.is) {
		case "flip": {
			const flipped = Buffer.from(bytes);
			if (at < bytes.length)
				flipped[at] = (bytes[at] as number) ^ (1 << damage.bit);
			return flipped;
		}
		case "put-in":
			return Buffer.concat([before, Buffer.from(damage.text), behind]);
		case "lose":
			return Buffer.concat([before, behind.subarray(damage.bytes)]);
		case "double":
			return Buffer.concat([before, bytes]);
		case "end":
			return Buffer.from(before);
	}
}
