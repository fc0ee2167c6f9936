/** Audio in pieces of any length, in each streaming part of the intake. */
import assert from "node:assert/strict";
import type { IntakeOptions } from "../../runtime/audio/intake.js";
import { Resampler } from "../../runtime/audio/resample.js";
import type { Property } from "../fuzz/property.js";
import { pick, randomOf } from "../fuzz/random.js";
import { containerHeads } from "./container-heads.js";
import { cutAt, someLengths } from "./cuts.js";
import { listen, openIntake } from "./listen.js";
import { join, tone, whiteNoise } from "./signals.js";
import { s16Bytes, wavBytes } from "./wav-bytes.js";

interface Case {
	readonly what: string;
	readonly lengths: readonly number[];
}

/** The samples of these pieces; the same for one piece. */
type Way = (lengths: readonly number[]) => Promise<unknown>;

const noiseBytes = s16Bytes(whiteNoise(9000, 0.2, randomOf(3)));
const noise = whiteNoise(30_000, 0.3, randomOf(5));
const wav = {
	tag: 1,
	channels: 1,
	sampleRateHz: 16000,
	bits: 16,
	data: s16Bytes(
		tone({ hz: 440, rateHz: 16000, seconds: 0.5, amplitude: 0.7 }),
	),
};
const wavAmongChunks = wavBytes({
	...wav,
	chunksBefore: [["LIST", new Uint8Array(333)]],
	chunksAfter: [["id3 ", new Uint8Array(99)]],
});
/** A coding that ffmpeg decodes. */
const compressedWav = wavBytes({ ...wav, tag: 2 });

const ways: Readonly<Record<string, readonly [inputLength: number, Way]>> = {
	"PCM at 8 kHz": decoded(noiseBytes, { sampleRateHz: 8000, gain: 3 }),
	"PCM at 16 kHz": decoded(noiseBytes, { gain: 3 }),
	"a WAV among chunks": decoded(wavAmongChunks, { format: "wav" }),
	"a WAV for the decoder": handedOn(compressedWav, "wav"),
	"8 kHz": resampled(8000),
	"44.1 kHz": resampled(44100),
	"48 kHz": resampled(48000),
	...Object.fromEntries(
		containerHeads.map(([container, head], i) => [
			`${container} ${i}`,
			handedOn(Buffer.concat([head, new Uint8Array(3000).fill(0x11)]), "pcm"),
		]),
	),
};

export const cutsMakeNoDifference = (): Property<Case> => ({
	name: "audio/cuts",
	promise: "the chunking of bytes or samples makes no difference",
	draw(random) {
		const what = pick(random, Object.keys(ways));
		const [total] = wayOf(what);
		const longest = pick(random, [total, 7, 150, 4000]);
		return { what, lengths: someLengths(random, total, longest) };
	},
	async check({ what, lengths }) {
		const [total, way] = wayOf(what);
		assert.deepEqual(await way(lengths), await way([total]));
		return what;
	},
});

/** Number of variants, each of which should be tried. */
export const waysCount = Object.keys(ways).length;

function wayOf(what: string): readonly [number, Way] {
	const way = ways[what];
	if (!way) throw new Error(`no way is called ${what}`);
	return way;
}

function decoded(bytes: Uint8Array, options: Partial<IntakeOptions>) {
	const way: Way = (lengths) => listen(cutAt(bytes, lengths), options);
	return [bytes.length, way] as const;
}

/** The decoder gets every byte, from before and after the container was known. */
function handedOn(bytes: Uint8Array, format: "pcm" | "wav") {
	const way: Way = async (lengths) => {
		const intake = openIntake({ format });
		const given: Uint8Array[] = [];
		for (const piece of cutAt(bytes, lengths))
			if (intake.needsDecoder) given.push(piece);
			else assert.equal((await intake.accept(piece)).length, 0);
		const all = Buffer.concat([intake.takeHeld(), ...given]);
		const { needsDecoder } = intake;
		intake.close();
		assert.ok(all.equals(bytes), "every byte, in order");
		return needsDecoder;
	};
	return [bytes.length, way] as const;
}

function resampled(rateHz: number) {
	const way: Way = async (lengths) => {
		const resampler = await Resampler.open(rateHz);
		const out = cutAt(noise, lengths).map((it) => resampler.accept(it));
		out.push(resampler.finish());
		resampler.close();
		return join(out);
	};
	return [noise.length, way] as const;
}
