/**
 * The features that CAM++ was trained on, as constants of its graph: Kaldi's log-mel filterbank over windows of 25 ms every 10 ms. All before the power
 * spectrum is linear (no direct current, pre-emphasis 0.97, Povey's window, Fourier transform of 512), so one matrix does it.
 */
export const frameSamples = 400;
export const hopSamples = 160;
export const mels = 80;
/** Of 512 samples of real sound: the real parts' rows come first, then the imaginary parts'. */
export const bins = 257;
const fftSamples = 512;
const sampleRateHz = 16_000;
const lowestHz = 20;
const preEmphasis = 0.97;
/** Energies are not below this before their logarithm is taken: float32's precision. */
export const energyMin = 1.1920929e-7;

/** [2 * bins, 400] */
export function spectrumMatrix(): Float32Array {
	const window = poveyWindow();
	const matrix = new Float32Array(2 * bins * frameSamples);
	const wave = new Float64Array(frameSamples);
	for (let row = 0; row < 2 * bins; row++) {
		const bin = row % bins;
		for (let i = 0; i < frameSamples; i++) {
			// the whole turns are taken off first, as integers
			const angle = (2 * Math.PI * ((bin * i) % fftSamples)) / fftSamples;
			wave[i] =
				(row < bins ? Math.cos(angle) : -Math.sin(angle)) *
				(window[i] as number);
		}
		matrix.set(beforeTheWindow(wave), row * frameSamples);
	}
	return matrix;
}

/** The row that gives for a frame what `wave` gives for the frame without its mean and with pre-emphasis. */
function beforeTheWindow(wave: Float64Array): Float64Array {
	const row = wave.map((value, i) => {
		const own = i === 0 ? value * (1 - preEmphasis) : value;
		return own - preEmphasis * (wave[i + 1] ?? 0);
	});
	const mean = row.reduce((sum, value) => sum + value, 0) / row.length;
	return row.map((value) => value - mean);
}

/** A symmetric Hann window to the power of 0.85. */
function poveyWindow(): Float64Array {
	return Float64Array.from(
		{ length: frameSamples },
		(_, i) =>
			(0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (frameSamples - 1))) ** 0.85,
	);
}

/** [80, bins]: triangles of equal width on the mel scale; the highest bin belongs to none. */
export function melMatrix(): Float32Array {
	const matrix = new Float32Array(mels * bins);
	const lowest = melOf(lowestHz);
	const step = (melOf(sampleRateHz / 2) - lowest) / (mels + 1);
	for (let mel = 0; mel < mels; mel++)
		for (let bin = 0; bin < bins - 1; bin++) {
			const at = (melOf((bin * sampleRateHz) / fftSamples) - lowest) / step;
			// 1 in the middle, 0 one step to either side
			const weight = 1 - Math.abs(at - (mel + 1));
			matrix[mel * bins + bin] = Math.max(0, weight);
		}
	return matrix;
}

function melOf(hertz: number): number {
	return 1127 * Math.log(1 + hertz / 700);
}
