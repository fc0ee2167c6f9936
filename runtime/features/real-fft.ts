/**
 * Power spectrum of real samples: the even and odd samples are packed as half as many complex numbers, transformed by a Stockham FFT (self-sorting, so no bit
 * reversal), and separated again. 400 points are Whisper's 25 ms window at 16 kHz, in passes of 5, 5, 4, 2: no padding to 512, as the bins must match the
 * reference, 40 Hz apart. 512 points are Kaldi's, in four passes of 4.
 */
const cos72 = Math.cos((2 * Math.PI) / 5);
const sin72 = Math.sin((2 * Math.PI) / 5);
const cos144 = Math.cos((4 * Math.PI) / 5);
const sin144 = Math.sin((4 * Math.PI) / 5);

const passesOf = { 400: [5, 5, 4, 2], 512: [4, 4, 4, 4] } as const;

type Pass = {
	readonly radix: 5 | 4 | 2;
	readonly stride: number;
	/** Butterflies of one stride. */
	readonly count: number;
	/** exp(-2 pi i p k / n) at [p * (radix - 1) + k - 1]. */
	readonly wr: Float64Array;
	readonly wi: Float64Array;
};

export class RealFft {
	/** Input, overwritten: even samples in `re`, odd ones in `im`, [points / 2] each. */
	readonly re: Float64Array;
	readonly im: Float64Array;
	readonly #half: number;
	readonly #re2: Float64Array;
	readonly #im2: Float64Array;
	readonly #plan: readonly Pass[];
	readonly #cos: Float64Array;
	readonly #sin: Float64Array;

	constructor(points: keyof typeof passesOf) {
		const half = points / 2;
		this.#half = half;
		this.re = new Float64Array(half);
		this.im = new Float64Array(half);
		this.#re2 = new Float64Array(half);
		this.#im2 = new Float64Array(half);
		this.#plan = planPasses(half, passesOf[points]);
		this.#cos = new Float64Array(half / 2 + 1);
		this.#sin = new Float64Array(half / 2 + 1);
		for (let k = 0; k <= half / 2; k++) {
			this.#cos[k] = Math.cos((2 * Math.PI * k) / points);
			this.#sin[k] = Math.sin((2 * Math.PI * k) / points);
		}
	}

	/** |X[k]|^2. @param power [points / 2 + 1], written */
	power(power: Float64Array): void {
		let xr = this.re;
		let xi = this.im;
		let yr = this.#re2;
		let yi = this.#im2;
		for (const pass of this.#plan) {
			if (pass.radix === 5) radix5(pass, xr, xi, yr, yi);
			else if (pass.radix === 4) radix4(pass, xr, xi, yr, yi);
			else radix2(pass, xr, xi, yr, yi);
			[xr, yr] = [yr, xr];
			[xi, yi] = [yi, xi];
		}
		this.#untangle(xr, xi, power);
	}

	/** Spectrum of the samples from that of the complex numbers: bins k and half - k together. */
	#untangle(zr: Float64Array, zi: Float64Array, power: Float64Array): void {
		const half = this.#half;
		const r0 = zr[0] as number;
		const i0 = zi[0] as number;
		power[0] = (r0 + i0) * (r0 + i0);
		power[half] = (r0 - i0) * (r0 - i0);
		for (let k = 1; k <= half / 2; k++) {
			const ar = zr[k] as number;
			const ai = zi[k] as number;
			const br = zr[half - k] as number;
			const bi = zi[half - k] as number;
			const er = ar + br; // twice the even part
			const ei = ai - bi;
			const or = ai + bi; // twice the odd part
			const oi = br - ar;
			const c = this.#cos[k] as number;
			const s = this.#sin[k] as number;
			const tr = or * c + oi * s;
			const ti = oi * c - or * s;
			power[k] = 0.25 * ((er + tr) * (er + tr) + (ei + ti) * (ei + ti));
			power[half - k] = 0.25 * ((er - tr) * (er - tr) + (ei - ti) * (ei - ti));
		}
	}
}

function planPasses(
	points: number,
	radices: readonly Pass["radix"][],
): readonly Pass[] {
	const plan: Pass[] = [];
	let n = points;
	let stride = 1;
	for (const radix of radices) {
		const count = n / radix;
		const wr = new Float64Array(count * (radix - 1));
		const wi = new Float64Array(count * (radix - 1));
		for (let p = 0; p < count; p++) {
			for (let k = 1; k < radix; k++) {
				const angle = (-2 * Math.PI * p * k) / n;
				wr[p * (radix - 1) + k - 1] = Math.cos(angle);
				wi[p * (radix - 1) + k - 1] = Math.sin(angle);
			}
		}
		plan.push({ radix, stride, count, wr, wi });
		n = count;
		stride *= radix;
	}
	return plan;
}

function radix5(
	{ stride: s, count: m, wr, wi }: Pass,
	xr: Float64Array,
	xi: Float64Array,
	yr: Float64Array,
	yi: Float64Array,
): void {
	for (let p = 0; p < m; p++) {
		const w = p * 4;
		const w1r = wr[w] as number;
		const w1i = wi[w] as number;
		const w2r = wr[w + 1] as number;
		const w2i = wi[w + 1] as number;
		const w3r = wr[w + 2] as number;
		const w3i = wi[w + 2] as number;
		const w4r = wr[w + 3] as number;
		const w4i = wi[w + 3] as number;
		for (let q = 0; q < s; q++) {
			const a = q + s * p;
			const b = a + s * m;
			const c = b + s * m;
			const d = c + s * m;
			const e = d + s * m;
			const ar = xr[a] as number;
			const ai = xi[a] as number;
			const t1r = (xr[b] as number) + (xr[e] as number);
			const t1i = (xi[b] as number) + (xi[e] as number);
			const t2r = (xr[c] as number) + (xr[d] as number);
			const t2i = (xi[c] as number) + (xi[d] as number);
			const t3r = (xr[b] as number) - (xr[e] as number);
			const t3i = (xi[b] as number) - (xi[e] as number);
			const t4r = (xr[c] as number) - (xr[d] as number);
			const t4i = (xi[c] as number) - (xi[d] as number);
			const m1r = ar + cos72 * t1r + cos144 * t2r;
			const m1i = ai + cos72 * t1i + cos144 * t2i;
			const m2r = ar + cos144 * t1r + cos72 * t2r;
			const m2i = ai + cos144 * t1i + cos72 * t2i;
			const n1r = sin72 * t3r + sin144 * t4r;
			const n1i = sin72 * t3i + sin144 * t4i;
			const n2r = sin144 * t3r - sin72 * t4r;
			const n2i = sin144 * t3i - sin72 * t4i;
			const b1r = m1r + n1i;
			const b1i = m1i - n1r;
			const b2r = m2r + n2i;
			const b2i = m2i - n2r;
			const b3r = m2r - n2i;
			const b3i = m2i + n2r;
			const b4r = m1r - n1i;
			const b4i = m1i + n1r;
			const o = q + s * 5 * p;
			yr[o] = ar + t1r + t2r;
			yi[o] = ai + t1i + t2i;
			yr[o + s] = b1r * w1r - b1i * w1i;
			yi[o + s] = b1r * w1i + b1i * w1r;
			yr[o + 2 * s] = b2r * w2r - b2i * w2i;
			yi[o + 2 * s] = b2r * w2i + b2i * w2r;
			yr[o + 3 * s] = b3r * w3r - b3i * w3i;
			yi[o + 3 * s] = b3r * w3i + b3i * w3r;
			yr[o + 4 * s] = b4r * w4r - b4i * w4i;
			yi[o + 4 * s] = b4r * w4i + b4i * w4r;
		}
	}
}

function radix4(
	{ stride: s, count: m, wr, wi }: Pass,
	xr: Float64Array,
	xi: Float64Array,
	yr: Float64Array,
	yi: Float64Array,
): void {
	for (let p = 0; p < m; p++) {
		const w = p * 3;
		const w1r = wr[w] as number;
		const w1i = wi[w] as number;
		const w2r = wr[w + 1] as number;
		const w2i = wi[w + 1] as number;
		const w3r = wr[w + 2] as number;
		const w3i = wi[w + 2] as number;
		for (let q = 0; q < s; q++) {
			const a = q + s * p;
			const b = a + s * m;
			const c = b + s * m;
			const d = c + s * m;
			const t0r = (xr[a] as number) + (xr[c] as number);
			const t0i = (xi[a] as number) + (xi[c] as number);
			const t1r = (xr[a] as number) - (xr[c] as number);
			const t1i = (xi[a] as number) - (xi[c] as number);
			const t2r = (xr[b] as number) + (xr[d] as number);
			const t2i = (xi[b] as number) + (xi[d] as number);
			const t3r = (xi[b] as number) - (xi[d] as number); // -i (b - d)
			const t3i = (xr[d] as number) - (xr[b] as number);
			const b1r = t1r + t3r;
			const b1i = t1i + t3i;
			const b2r = t0r - t2r;
			const b2i = t0i - t2i;
			const b3r = t1r - t3r;
			const b3i = t1i - t3i;
			const o = q + s * 4 * p;
			yr[o] = t0r + t2r;
			yi[o] = t0i + t2i;
			yr[o + s] = b1r * w1r - b1i * w1i;
			yi[o + s] = b1r * w1i + b1i * w1r;
			yr[o + 2 * s] = b2r * w2r - b2i * w2i;
			yi[o + 2 * s] = b2r * w2i + b2i * w2r;
			yr[o + 3 * s] = b3r * w3r - b3i * w3i;
			yi[o + 3 * s] = b3r * w3i + b3i * w3r;
		}
	}
}

/** The last pass: one butterfly per stride, so no twiddle factors. */
function radix2(
	{ stride: s }: Pass,
	xr: Float64Array,
	xi: Float64Array,
	yr: Float64Array,
	yi: Float64Array,
): void {
	for (let q = 0; q < s; q++) {
		const ar = xr[q] as number;
		const ai = xi[q] as number;
		const br = xr[q + s] as number;
		const bi = xi[q + s] as number;
		yr[q] = ar + br;
		yi[q] = ai + bi;
		yr[q + s] = ar - br;
		yi[q + s] = ai - bi;
	}
}
