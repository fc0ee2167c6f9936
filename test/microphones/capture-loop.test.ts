import t, { type Test } from "tap";
import {
	type CaptureDevice,
	CaptureError,
} from "../../runtime/microphones/capture-port.js";
import { createFrontEnd } from "../../runtime/microphones/child/audio-front-end.js";
import { CaptureLoop } from "../../runtime/microphones/child/capture-loop.js";
import { ClockDrift } from "../../runtime/microphones/child/drift.js";
import { Pacer } from "../../runtime/microphones/child/pacer.js";
import { SendQueue } from "../../runtime/microphones/child/send-queue.js";
import type { FromCapture } from "../../runtime/microphones/protocol.js";
import {
	warningsOf,
	warningText,
} from "../../runtime/microphones/sound-warnings.js";

const request = {
	device: "hw:1,0",
	channels: 1,
	rateHz: 16_000,
	format: undefined,
	periodMs: 40,
	bufferMs: 500,
};

type Step = "sound" | { readonly code: string };

/** A scripted device, one step per read, and a clock that sleeping advances. */
async function run(t: Test, opens: readonly (readonly Step[] | string)[]) {
	const reports: string[] = [];
	let nowMs = 0;
	let at = 0;
	const open = async (): Promise<CaptureDevice> => {
		const script = opens[at++];
		if (script === undefined) {
			loop.stop();
			throw new CaptureError("ENODEV", "snd_pcm_open", "the end");
		}
		if (typeof script === "string") {
			const [code = "", ms = 0] = script.split(" after ");
			nowMs += Number(ms);
			throw new CaptureError(code, "snd_pcm_open", "no such luck");
		}
		const steps = [...script];
		return {
			format: "S16_LE",
			channels: 1,
			rateHz: 16_000,
			periodFrames: 640,
			read: async () => {
				nowMs += 40;
				const step = steps.shift() ?? { code: "ENODEV" };
				if (step === "sound") return new Uint8Array(1280);
				throw new CaptureError(step.code, "snd_pcm_readi", step.code);
			},
			recover: async ({ code }) => {
				nowMs += 460; // half a second in all until it returns audio again
				reports.push(`recover ${code}`);
			},
			close: async () => {
				reports.push("close");
			},
		};
	};
	const loop: CaptureLoop = new CaptureLoop(
		open,
		request,
		1.02,
		{
			onOpened: () => {
				reports.push("opened");
			},
			onFrames: (_, lostMs) => {
				reports.push(lostMs > 0 ? `sound after ${lostMs} ms lost` : "sound");
			},
			onTrouble: ({ code }, retryMs) => reports.push(`${code} ${retryMs}`),
		},
		{
			nowMs: () => nowMs,
			sleep: async (ms) => {
				nowMs += ms;
			},
		},
	);
	await loop.run();
	t.teardown(() => loop.stop());
	return { reports, loop };
}

t.test("an overrun is counted, and recording continues", async (t) => {
	const { reports, loop } = await run(t, [
		["sound", { code: "EPIPE" }, "sound", { code: "ESTRPIPE" }, "sound"],
	]);
	t.same(reports, [
		"opened",
		"sound",
		"recover EPIPE",
		"sound after 500 ms lost",
		"recover ESTRPIPE",
		"sound after 500 ms lost",
		"ENODEV 250",
		"close",
	]);
	t.equal(loop.xruns, 1);
	t.equal(loop.suspends, 1);
});

t.test(
	"a card that was pulled is tried again with growing pauses",
	async (t) => {
		const { reports } = await run(t, [
			["sound"],
			"ENOENT",
			"ENODEV",
			["sound"],
		]);
		t.same(reports, [
			"opened",
			"sound",
			"ENODEV 250",
			"close",
			"ENOENT 500",
			"ENODEV 1000",
			"opened",
			"sound",
			"ENODEV 2000",
			"close",
		]);
	},
);

t.test("pauses restart after a device was healthy", async (t) => {
	const long = Array.from({ length: 200 }, () => "sound" as const);
	const { reports } = await run(t, ["EBUSY", "EBUSY", long]);
	t.same(
		reports.filter((it) => it.startsWith("E")),
		["EBUSY 250", "EBUSY 500", "ENODEV 250"],
	);
});

t.test("a device that takes long to fail was not healthy", async (t) => {
	const silent = "ETIMEDOUT after 10000";
	const { reports } = await run(t, [silent, silent, silent]);
	t.same(reports.slice(0, 3), [
		"ETIMEDOUT 250",
		"ETIMEDOUT 500",
		"ETIMEDOUT 1000",
	]);
});

t.test("a device that only overruns is reopened", async (t) => {
	const barren = Array.from({ length: 40 }, () => ({ code: "EPIPE" }));
	const { reports } = await run(t, [barren, ["sound"]]);
	t.ok(reports.includes("EPIPE 250"));
	t.ok(reports.includes("sound"), "and then it records");
});

t.test(
	"faults of the audio are reported, and corrected where possible",
	async (t) => {
		const inspect = async (sample: (i: number) => number, seconds = 6) => {
			const frontEnd = await createFrontEnd({
				format: "FLOAT_LE",
				channels: 1,
				rateHz: 16_000,
				channelMap: [],
				geometry: undefined,
			});
			const samples = Float32Array.from({ length: seconds * 16_000 }, (_, i) =>
				sample(i),
			);
			const { bytes } = frontEnd.accept(new Uint8Array(samples.buffer));
			frontEnd.close();
			const warnings = warningsOf({
				xruns: 0,
				suspends: 0,
				driftPpm: undefined,
				...frontEnd.check.takeHealth(),
			});
			return {
				warnings: warnings.map(warningText),
				pcm: new Int16Array(bytes.buffer),
			};
		};
		const sine = (i: number) => 0.3 * Math.sin(i / 5);
		t.same((await inspect(sine)).warnings, []);
		const deep = (i: number) =>
			0.3 * Math.sin((2 * Math.PI * 100 * i) / 16_000);
		for (const seconds of [2, 2.0025, 2.005, 2.0075])
			t.same((await inspect(deep, seconds)).warnings, [], "a deep voice");
		t.match((await inspect(() => 0)).warnings, [/^only zeros/]);
		t.match((await inspect((i) => Math.sign(sine(i)))).warnings, [/clipping/]);
		const offset = await inspect((i) => 0.4 + sine(i));
		t.match(offset.warnings, [/offset/]);
		const tail = offset.pcm.slice(-16_000);
		const mean = tail.reduce((sum, it) => sum + it, 0) / tail.length;
		t.ok(Math.abs(mean) < 100, `${mean} of 32768`);
		// a driver's NaN does not silence what follows
		const { pcm } = await inspect((i) => (i === 50 ? Number.NaN : sine(i)));
		t.ok(Math.max(...pcm.slice(-1000)) > 8000);
	},
);

t.test("a card's clock is compared with the system's", async (t) => {
	const drift = new ClockDrift();
	// 80 ppm fast, each read late by up to 30 ms
	for (let period = 1; period <= 5000; period++) {
		const audioMs = period * 40;
		drift.note(audioMs, audioMs / 1.00008 + ((period * 7919) % 30));
		if (period === 1000) t.equal(drift.ppm, undefined, "too early to tell");
	}
	t.ok(Math.abs((drift.ppm ?? 0) - 80) < 5, `${drift.ppm}`);
	drift.reset();
	t.equal(drift.ppm, undefined);
});

t.test(
	"a slow reader loses the oldest audio, and the next message reports how much",
	async (t) => {
		const sent: FromCapture[] = [];
		const free: (() => void)[] = [];
		const outbox = new SendQueue((message, done) => {
			sent.push(message);
			free.push(done);
		}, 3);
		const sound = (at: number): FromCapture => ({
			is: "audio",
			audio: { bytes: Uint8Array.of(at, 0), levelsDbfs: [] },
		});
		for (let at = 0; at < 20; at++) outbox.push(sound(at));
		outbox.push({ is: "trouble", code: "EIO", message: "", retryMs: 0 });
		t.equal(sent.length, 8, "as many as the channel takes");
		for (const done of free.splice(0)) done();
		t.same(
			sent
				.slice(8)
				.map((it) => (it.is === "audio" ? it.audio.bytes[0] : it.is)),
			[17, 18, 19, "trouble"],
		);
		const [first, second] = sent.slice(8);
		t.match(first, { audio: { lostSamples: 9 } });
		t.notOk(second?.is === "audio" && second.audio.lostSamples);
	},
);

t.test("a sender that can wait loses nothing", async (t) => {
	const sent: FromCapture[] = [];
	const outbox = new SendQueue((message, done) => {
		sent.push(message);
		setImmediate(done);
	}, 3);
	for (let at = 0; at < 100; at++) {
		outbox.push({
			is: "audio",
			audio: { bytes: Uint8Array.of(at, 0), levelsDbfs: [] },
		});
		await outbox.drained();
	}
	t.equal(sent.length, 100);
	t.notOk(sent.some((it) => it.is === "audio" && it.audio.lostSamples));
});

t.test(
	"a device that returns neither audio nor an error is noticed",
	async (t) => {
		let nowMs = 0;
		let answer = (_: Uint8Array) => {};
		const loop = new CaptureLoop(
			async () => ({
				format: "S16_LE",
				channels: 1,
				rateHz: 16_000,
				periodFrames: 640,
				read: () =>
					new Promise((resolve) => {
						answer = resolve;
					}),
				recover: async () => {},
				close: async () => {},
			}),
			request,
			1.02,
			{ onOpened: () => {}, onFrames: () => {}, onTrouble: () => {} },
			{ nowMs: () => nowMs, sleep: async () => {} },
		);
		const running = loop.run();
		await new Promise((turn) => setImmediate(turn));
		nowMs = 7000;
		t.equal(loop.stalledMs, 7000);
		answer(new Uint8Array(1280));
		await new Promise((turn) => setImmediate(turn));
		t.equal(loop.stalledMs, 0, "it is asked anew");
		loop.stop();
		answer(new Uint8Array(0));
		await running;
	},
);

t.test("a recovery that does not return is noticed", async (t) => {
	let nowMs = 0;
	let recovered = () => {};
	const loop = new CaptureLoop(
		async () => ({
			format: "S16_LE",
			channels: 1,
			rateHz: 16_000,
			periodFrames: 640,
			read: async () => {
				throw new CaptureError("EPIPE", "read", "overrun");
			},
			recover: () =>
				new Promise<void>((resolve) => {
					recovered = resolve;
				}),
			close: async () => {},
		}),
		request,
		1.02,
		{ onOpened: () => {}, onFrames: () => {}, onTrouble: () => {} },
		{ nowMs: () => nowMs, sleep: async () => {} },
	);
	const running = loop.run();
	await new Promise((turn) => setImmediate(turn));
	nowMs = 7000;
	t.equal(loop.stalledMs, 7000);
	loop.stop();
	recovered();
	await running;
});

t.test(
	"a card that was not read for a while may catch up at once",
	async (t) => {
		const pacer = new Pacer(1.02);
		let nowMs = 0;
		let sum = 0;
		// a real card blocks for each period, here slightly longer than the period
		for (let period = 0; period < 3000; period++) {
			nowMs += 40;
			sum += pacer.holdMs(39.99, nowMs);
		}
		t.equal(sum, 0);
		nowMs += 500;
		let heldMs = 0;
		for (let period = 0; period < 12; period++)
			heldMs += pacer.holdMs(40, nowMs);
		t.equal(heldMs, 0, "half a second of backlog");
		for (let period = 0; period < 50; period++)
			heldMs += pacer.holdMs(40, nowMs);
		t.ok(heldMs > 0, "what has no clock is held");
	},
);
