/** The driver against a card that fails in every way that ALSA knows: the real FFI with a fake libasound. */
import t, { type Test } from "tap";
import { Capture } from "../../runtime/microphones/capture.js";
import type {
	CaptureSettings,
	FromCapture,
} from "../../runtime/microphones/protocol.js";
import { listeningLog } from "../engine/fake-lane.js";
import { fakeAsound, fakeAsoundMissing as skip } from "./fake-asound.js";

/** Twelve seconds and more of waiting. */
const slow = process.env.EARSHOT_TEST_STALL
	? false
	: "EARSHOT_TEST_STALL=1 waits for it";

const main = new URL("../../runtime/main.js", import.meta.url).pathname;

type Is<Kind> = Extract<FromCapture, { is: Kind }>;

/** Records until `enough` returns true. */
async function record(
	t: Test,
	card: Record<string, string>,
	enough: (messages: readonly FromCapture[]) => boolean,
	changes: Partial<CaptureSettings> = {},
) {
	const messages: FromCapture[] = [];
	const deaths: string[] = [];
	const settings: CaptureSettings = {
		device: "hw:0,0",
		channels: 1,
		rateHz: 16_000,
		format: undefined,
		channelMap: [],
		geometry: undefined,
		paceMax: 1.02,
		...changes,
	};
	const command = {
		file: process.execPath,
		args: [main, "capture"],
		environment: fakeAsound(card),
	};
	let check = () => {};
	const capture = new Capture(
		() => settings,
		{
			onMessage: (message) => {
				messages.push(message);
				check();
			},
			onDeath: (reason) => deaths.push(reason),
		},
		listeningLog(() => {}),
		command,
	);
	t.teardown(() => capture.stop());
	capture.start();
	await new Promise<void>((resolve) => {
		check = () => {
			if (enough(messages)) resolve();
		};
	});
	const of = <Kind extends FromCapture["is"]>(is: Kind) =>
		messages.filter((it): it is Is<Kind> => it.is === is);
	return { of, deaths };
}

const sounds = (count: number) => (messages: readonly FromCapture[]) =>
	messages.filter((it) => it.is === "audio").length >= count;
const wasAsleep = (it: FromCapture) =>
	it.is === "health" && it.health.suspends === 1;

t.test(
	"after an overrun (EPIPE) and a suspension (ESTRPIPE) recording continues, and both are counted",
	{ skip },
	async (t) => {
		const { of } = await record(
			t,
			{ FAKE_READ: "0 0 -32 0 -86 0 -4 0", FAKE_RESUME: "-11 -11 0" },
			// a health report may come at any point in the script
			(messages) => messages.some(wasAsleep) && sounds(5)(messages),
		);
		t.match(of("health").find(wasAsleep), {
			health: { xruns: 1, suspends: 1 },
		});
		t.same(of("trouble"), []);
		t.equal(of("opened").length, 1);
		const lost = of("audio").map(({ audio }) => audio.lostSamples ?? 0);
		t.ok((lost[3] ?? 0) > 1000, `${lost.slice(0, 6)}: asleep for 0.1 s`);
	},
);

t.test("a card that can't resume is prepared again", { skip }, async (t) => {
	const { of } = await record(
		t,
		{ FAKE_READ: "0 -86 0", FAKE_RESUME: "-38" },
		sounds(5),
	);
	t.same(of("trouble"), []);
});

t.test(
	"a card that is pulled (ENODEV) is opened again when it is back",
	{ skip },
	async (t) => {
		const { of } = await record(
			t,
			{ FAKE_READ: "0 0 -19", FAKE_OPEN: "0 -2" },
			sounds(5),
		);
		t.match(of("trouble"), [
			{ code: "ENODEV", message: /No such device.*ENODEV, snd_pcm_readi/ },
			{ code: "ENOENT", message: /snd_pcm_open/ },
		]);
		t.equal(of("opened").length, 2);
	},
);

t.test(
	"a busy card and a forbidden one are reported by error name, and tried again",
	{ skip },
	async (t) => {
		const { of } = await record(t, { FAKE_OPEN: "-16 -13" }, sounds(1));
		t.match(of("trouble"), [
			{ code: "EBUSY", message: /busy.*snd_pcm_open/, retryMs: 250 },
			{ code: "EACCES", message: /Permission denied/, retryMs: 500 },
		]);
	},
);

t.test("a card of one rate is recorded at it", { skip }, async (t) => {
	const { of } = await record(t, { FAKE_RATE: "44100" }, sounds(10));
	t.match(of("opened"), [{ rateHz: 44_100 }]);
	const bytes = of("audio")
		.slice(2)
		.map((it) => it.audio.bytes.length);
	const mean = bytes.reduce((sum, it) => sum + it, 0) / bytes.length;
	t.ok(Math.abs(mean - 2560) < 200, `${mean} bytes in 80 ms of 16 kHz`);
});

t.test("what the card does not support is named", { skip }, async (t) => {
	const trouble = (messages: readonly FromCapture[]) =>
		messages.some((it) => it.is === "trouble");
	const wrongFormat = await record(t, { FAKE_FORMAT: "S32_LE" }, trouble, {
		format: "S16_LE",
	});
	t.match(wrongFormat.of("trouble"), [
		{ code: "EINVAL", message: /not record S16_LE; it supports S32_LE/ },
	]);
	const wrongChannels = await record(t, { FAKE_CHANNELS: "6" }, trouble, {
		channels: 4,
	});
	t.match(wrongChannels.of("trouble"), [
		{ code: "EINVAL", message: /not record 4 channels; it supports 6/ },
	]);
});

t.test("sixteen channels of any format are separated", { skip }, async (t) => {
	for (const format of ["S24_3LE", "S24_LE"] as const) {
		const { of } = await record(t, { FAKE_FORMAT: format }, sounds(3), {
			channels: 16,
			channelMap: [15, 0, 7],
		});
		t.match(of("opened"), [{ format, channels: 16 }]);
		// sixteen, one and eight parts in 32
		const levels = of("audio")[2]?.audio.levelsDbfs ?? [];
		[-6, -30.1, -12].forEach((dbfs, at) => {
			const level = levels[at] ?? Number.NaN;
			t.ok(Math.abs(level - dbfs) < 1, `${format} ${at}: ${level}`);
		});
	}
});

t.test(
	"a card that stops responding gets a new process",
	{ skip: skip || slow },
	async (t) => {
		const { of, deaths } = await record(
			t,
			{ FAKE_READ: "0 hang" },
			(messages) => messages.filter((it) => it.is === "opened").length === 2,
		);
		t.match(of("trouble"), [
			{ code: "ETIMEDOUT", message: /neither audio nor an error for 12 s/ },
		]);
		t.same(deaths, ["signal SIGKILL"]);
	},
);
