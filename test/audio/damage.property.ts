/** Damaged and random bytes under any label: decoded, refused with a code, or left to the decoder. */
import assert from "node:assert/strict";
import { type AudioFormat, isRaw } from "../../runtime/audio/container.js";
import { CodedError } from "../../runtime/errors.js";
import type { Property } from "../fuzz/property.js";
import { below, pick } from "../fuzz/random.js";
import { openIntake } from "./listen.js";
import { wavBytes } from "./wav-bytes.js";

/** @returns the outcome; a bug throws. */
async function fate(bytes: Uint8Array, format: AudioFormat): Promise<string> {
	const intake = openIntake({ format });
	try {
		const pieces = [bytes.subarray(0, 50), bytes.subarray(50)];
		for (const piece of pieces)
			if (!intake.needsDecoder) {
				const samples = await intake.accept(piece);
				if (!samples.every(Number.isFinite)) throw new Error("not finite");
			}
		if (!intake.needsDecoder) await intake.finish();
		return intake.needsDecoder ? "decoder" : "decoded";
	} catch (failure) {
		if (failure instanceof CodedError) return failure.status;
		throw failure;
	} finally {
		intake.close();
	}
}

export const honestWav = wavBytes({
	tag: 1,
	channels: 2,
	sampleRateHz: 22050,
	bits: 16,
	data: new Uint8Array(8000).fill(3),
	chunksBefore: [
		["LIST", new Uint8Array(20)],
		["ds64", new Uint8Array(28)],
	],
});
const headerBytes = 130;

type Hit = readonly [at: number, byte: number];

export const damagedWavsAreJudged = (): Property<readonly Hit[]> => ({
	name: "audio/damaged-wav",
	promise: "a WAV with a damaged header is decoded or refused",
	draw: (random) =>
		Array.from(
			{ length: 1 + below(random, 5) },
			(): Hit => [below(random, headerBytes), below(random, 256)],
		),
	async check(hits) {
		const damaged = honestWav.slice();
		for (const [at, byte] of hits) damaged[at] = byte;
		const came = await fate(damaged, "wav");
		assert.match(came, /^(decoded|decoder|2000(05|06|07))$/);
		return came;
	},
});

const formats = [
	...["pcm", "wav", "opus", "mp3", "aac", "amr", "m4a", "flac"],
	...["ogg", "webm", "mulaw", "alaw", "pcm_s32le", "auto"],
] as AudioFormat[];

interface Bytes {
	readonly format: AudioFormat;
	readonly bytes: Uint8Array;
}

export const randomBytesAreJudged = (): Property<Bytes> => ({
	name: "audio/any-bytes",
	promise: "random bytes under any label are decoded or refused",
	draw: (random) => ({
		format: pick(random, formats),
		bytes: Uint8Array.from({ length: 20_000 }, () => below(random, 256)),
	}),
	async check({ format, bytes }) {
		const came = await fate(bytes, format);
		assert.equal(came, isRaw(format) ? "decoded" : "200006");
		return came;
	},
});
