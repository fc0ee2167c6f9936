/** Convolution of a clip with a room's response: block by block, by the Fourier transform (overlap-add). */
import { Fft } from "../../../runtime/audio/array/fft.js";

const blockSamples = 16_384;
const fft = new Fft(2 * blockSamples);

interface Spectrum {
	readonly re: Float64Array;
	readonly im: Float64Array;
}

/** @returns as long as `dry`. */
export function convolved(
	dry: Float32Array,
	response: Float32Array,
): Float32Array {
	const responses = blocksOf(response);
	const wet = new Float64Array(dry.length + response.length + 4 * blockSamples);
	blocksOf(dry).forEach((sound, i) => {
		responses.forEach((room, j) => {
			const { re, im } = product(sound, room);
			// the inverse transform, by exchanging the parts
			fft.transform(im, re);
			const at = (i + j) * blockSamples;
			for (let n = 0; n < re.length; n++)
				wet[at + n] = (wet[at + n] as number) + (re[n] as number) / re.length;
		});
	});
	return Float32Array.from(wet.subarray(0, dry.length));
}

function blocksOf(samples: Float32Array): Spectrum[] {
	const blocks: Spectrum[] = [];
	for (let at = 0; at < samples.length; at += blockSamples) {
		const re = new Float64Array(2 * blockSamples);
		const im = new Float64Array(2 * blockSamples);
		re.set(samples.subarray(at, at + blockSamples));
		fft.transform(re, im);
		blocks.push({ re, im });
	}
	return blocks;
}

function product(a: Spectrum, b: Spectrum): Spectrum {
	const re = new Float64Array(a.re.length);
	const im = new Float64Array(a.re.length);
	for (let k = 0; k < re.length; k++) {
		const [ar = 0, ai = 0, br = 0, bi = 0] = [
			a.re[k],
			a.im[k],
			b.re[k],
			b.im[k],
		];
		re[k] = ar * br - ai * bi;
		im[k] = ar * bi + ai * br;
	}
	return { re, im };
}
