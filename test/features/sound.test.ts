import t from "tap";
import { LogMel } from "../../runtime/features/log-mel.js";
import { frameLevels, whyNotSpeech } from "../../runtime/features/sound.js";
import { randomOf } from "../fuzz/random.js";

function verdict(sample: (seconds: number) => number) {
	const logMel = new LogMel(80, undefined);
	logMel.accept(
		Float32Array.from({ length: 48_000 }, (_, n) => sample(n / 16_000)),
	);
	logMel.finish();
	return whyNotSpeech(frameLevels(logMel.take(), 80));
}

const sine = (hz: number, seconds: number) =>
	Math.sin(2 * Math.PI * hz * seconds);

t.test("digital silence and the faintest hiss are inaudible", (t) => {
	const random = randomOf(1);
	t.equal(
		verdict(() => 0),
		"inaudible",
	);
	t.equal(
		verdict(() => (random() - 0.5) * 2e-4),
		"inaudible",
	);
	t.end();
});

t.test("hum, tone and hiss are steady, however loud", (t) => {
	const random = randomOf(1);
	t.equal(
		verdict((s) => 0.3 * sine(50, s) + 0.1 * sine(100, s) + 0.1 * sine(150, s)),
		"steady",
	);
	t.equal(
		verdict((s) => 0.2 * sine(1000, s)),
		"steady",
	);
	t.equal(
		verdict(() => random() - 0.5),
		"steady",
	);
	t.end();
});

t.test("a sound that is modulated four times per second may be speech", (t) => {
	t.equal(
		verdict((s) => 0.2 * sine(300, s) * (1 + 0.9 * sine(4, s))),
		undefined,
	);
	t.end();
});

t.test("no frames at all are inaudible", (t) => {
	t.equal(whyNotSpeech(new Float32Array(0)), "inaudible");
	t.end();
});
