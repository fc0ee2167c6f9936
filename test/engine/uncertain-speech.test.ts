/** Requests that are hardly recognizable as speech: short words, truncated words, a word in noise. The live engine, the real models. */
import t from "tap";
import { pinkNoise, seededRandom } from "../audio/signals.js";
import { readWav } from "../whisper/packages.js";
import { realLane, skipped, transcribe } from "./real-lane.js";

const rate = 16_000;

/** Of a clip of the repository. */
function cut(name: string, fromSeconds: number, toSeconds: number) {
	const clip = readWav(`test/clips/${name}.wav`);
	return clip.slice(fromSeconds * rate, toSeconds * rate);
}

/** Silence around it. */
function padded(samples: Float32Array, seconds: number): Float32Array {
	const whole = new Float32Array(samples.length + 2 * seconds * rate);
	whole.set(samples, seconds * rate);
	return whole;
}

function mixed(a: Float32Array, b: Float32Array, atSeconds: number) {
	const whole = a.slice();
	b.forEach((sample, i) => {
		const at = atSeconds * rate + i;
		whole[at] = (whole[at] as number) + sample;
	});
	return whole;
}

function pcm(samples: Float32Array): Uint8Array {
	const bytes = Int16Array.from(samples, (it) =>
		Math.round(Math.max(-1, Math.min(1, it)) * 32767),
	);
	return new Uint8Array(bytes.buffer);
}

t.test("uncertain speech", { skip: skipped }, async (t) => {
	const { lane } = realLane(t);
	const textOf = async (samples: Float32Array) => {
		const events = await transcribe(lane, pcm(samples), {
			language: "en-US",
			format: "pcm",
			sampleRateHz: 16000,
			oneText: true,
		});
		const last = events.at(-1);
		if (last?.is !== "completed") throw new Error("no end");
		return last.text.toLowerCase();
	};

	t.test("a short word that is surely speech is recognized", async (t) => {
		t.match(
			await textOf(padded(cut("en-librivox-0890", 0.3, 0.7), 0.5)),
			/unless/,
		);
	});

	t.test("a single word that voice activity is not sure of", async (t) => {
		t.match(
			await textOf(padded(cut("en-librivox-0920", 1.1, 1.3), 0.25)),
			/more/,
		);
	});

	t.test("a recording that begins and ends inside a word", async (t) => {
		// "(ha)d he married a more amiable woman he mi(ght)"
		const text = await textOf(cut("en-librivox-0920", 0.42, 2.8));
		t.match(text, /married a more amiable woman/);
	});

	t.test("a tenth of a second, anywhere, gets an answer", async (t) => {
		for (let from = 0.2; from < 3; from += 0.4) {
			const text = await textOf(cut("en-librivox-0870", from, from + 0.1));
			t.ok(text.length < 30, `${from}: ${text}`);
		}
	});

	t.test("loud noise with one sentence in it", async (t) => {
		const noise = pinkNoise(12 * rate, 0.05, seededRandom(7));
		// 6 dB above the speech
		const spoken = readWav("test/clips/en-librivox-0930.wav").map(
			(it) => 1.5 * it,
		);
		const text = await textOf(mixed(noise, spoken, 5));
		t.match(text, /might even have been made/);
		t.equal(await textOf(noise), "", "the noise alone");
	});
});
