import t, { type Test } from "tap";
import { Capture } from "../../runtime/microphones/capture.js";
import type {
	CapturedAudio,
	CaptureSettings,
	FromCapture,
} from "../../runtime/microphones/protocol.js";
import { listeningLog } from "../engine/fake-lane.js";
import { alsaMissing, fakeCard, interleaved, writers } from "./alsa.js";

const settings: CaptureSettings = {
	device: "mic",
	channels: 1,
	rateHz: 16_000,
	format: undefined,
	channelMap: [],
	geometry: undefined,
	paceMax: Number.POSITIVE_INFINITY,
};

type Recorded = {
	readonly messages: FromCapture[];
	readonly deaths: string[];
	readonly capture: Capture;
	until(enough: (messages: readonly FromCapture[]) => boolean): Promise<void>;
};

function record(
	t: Test,
	changes: Partial<CaptureSettings>,
	environment: Record<string, string>,
): Recorded {
	const messages: FromCapture[] = [];
	const deaths: string[] = [];
	let check = () => {};
	const capture = new Capture(
		() => ({ ...settings, ...changes }),
		{
			onMessage: (message) => {
				messages.push(message);
				check();
			},
			onDeath: (reason) => {
				deaths.push(reason);
				check();
			},
		},
		listeningLog(() => {}),
		command(environment),
	);
	t.teardown(() => capture.stop());
	capture.start();
	const until: Recorded["until"] = (enough) =>
		new Promise((resolve) => {
			check = () => {
				if (enough(messages)) resolve();
			};
			check();
		});
	return { messages, deaths, capture, until };
}

function command(environment: Record<string, string>) {
	const main = new URL("../../runtime/main.js", import.meta.url).pathname;
	return { file: process.execPath, args: [main, "capture"], environment };
}

function sine(seconds: number, rateHz: number, size = 0.5): Float32Array {
	return Float32Array.from(
		{ length: seconds * rateHz },
		(_, i) => size * Math.sin((2 * Math.PI * 440 * i) / rateHz),
	);
}

function soundOf(messages: readonly FromCapture[]): CapturedAudio[] {
	return messages.flatMap((it) => (it.is === "audio" ? [it.audio] : []));
}

function samplesOf(messages: readonly FromCapture[]): Int16Array {
	const bytes = Buffer.concat(soundOf(messages).map(({ bytes }) => bytes));
	return new Int16Array(new Uint8Array(bytes).buffer);
}

/** Messages of one kind: a health report may come between any two. */
function ofKind<Kind extends FromCapture["is"]>(
	messages: readonly FromCapture[],
	is: Kind,
) {
	return messages.filter(
		(it): it is Extract<FromCapture, { is: Kind }> => it.is === is,
	);
}

const enough = (count: number) => (messages: readonly FromCapture[]) =>
	soundOf(messages).length >= count;

t.test("a card", { skip: alsaMissing }, async (t) => {
	for (const format of Object.keys(writers) as (keyof typeof writers)[])
		t.test(`of ${format} is recorded unchanged`, async (t) => {
			const voice = sine(2, 16_000);
			const bytes = interleaved(
				[voice, voice.map((it) => it / 2)],
				writers[format],
				format === "S16_LE" ? 2 : 4,
			);
			const recorder = record(
				t,
				{ channels: 2, format, channelMap: [1] },
				fakeCard(t.testdir(), bytes),
			);
			await recorder.until(enough(20));
			t.match(ofKind(recorder.messages, "opened"), [{ format, channels: 2 }]);
			const samples = samplesOf(recorder.messages);
			let worst = 0;
			// from where the offset's filter has settled
			for (let i = 4000; i < 12_000; i++)
				worst = Math.max(
					worst,
					Math.abs((samples[i] as number) / 32768 - (voice[i] as number) / 2),
				);
			t.ok(worst < 0.02, `${worst}`);
			const [level = 0] = soundOf(recorder.messages)[10]?.levelsDbfs ?? [];
			t.ok(Math.abs(level + 15) < 0.5, `${level} dBFS`);
		});

	t.test("of another rate is resampled to 16 kHz", async (t) => {
		const bytes = interleaved([sine(2, 48_000)], writers.S16_LE, 2);
		const recorder = record(
			t,
			{ rateHz: 48_000 },
			fakeCard(t.testdir(), bytes),
		);
		await recorder.until(enough(25));
		t.match(ofKind(recorder.messages, "opened"), [{ rateHz: 48_000 }]);
		const samples = samplesOf(recorder.messages);
		let crossings = 0;
		for (let i = 8001; i < 14_000; i++)
			if ((samples[i - 1] as number) < 0 && (samples[i] as number) >= 0)
				crossings++;
		t.ok(Math.abs(crossings - (440 * 6000) / 16_000) <= 1, `${crossings}`);
	});

	t.test("without a clock is paced in real time", async (t) => {
		const bytes = interleaved([sine(10, 16_000)], writers.S16_LE, 2);
		const startMs = performance.now(); // messages may come late, but not before their time
		const recorder = record(t, { paceMax: 1.02 }, fakeCard(t.testdir(), bytes));
		await recorder.until(enough(30));
		// 29 periods of 40 ms less what may be ahead
		t.ok(performance.now() - startMs > 800);
	});

	t.test("that does not exist is reported and tried again", async (t) => {
		const recorder = record(
			t,
			{ device: "hw:7,0" },
			fakeCard(t.testdir(), new Uint8Array(4)),
		);
		await recorder.until((messages) => ofKind(messages, "trouble").length >= 2);
		const [first, second] = ofKind(recorder.messages, "trouble");
		t.match(first, { code: "ENOENT", retryMs: 250 });
		t.match(second, { code: "ENOENT", retryMs: 500 });
		t.same(ofKind(recorder.messages, "opened"), []);
	});

	t.test("whose process is killed continues recording", async (t) => {
		const bytes = interleaved([sine(10, 16_000)], writers.S16_LE, 2);
		const recorder = record(t, { paceMax: 1.02 }, fakeCard(t.testdir(), bytes));
		await recorder.until(enough(2));
		const { pid } = recorder.capture;
		process.kill(pid as number, "SIGKILL");
		const before = recorder.messages.length;
		await recorder.until(
			(messages) => soundOf(messages.slice(before)).length >= 2,
		);
		t.same(recorder.deaths, ["signal SIGKILL"]);
		t.not(recorder.capture.pid, pid);
	});
});
