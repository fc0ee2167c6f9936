/** What goes wrong with the decoder's program: it is missing, is killed, fails or stalls. */
import { mock } from "node:test";
import t from "tap";
import { openFfmpeg } from "../../drivers/ffmpeg/decoder.js";
import { refusal } from "../audio/listen.js";
import { all, options, pretender } from "./decoding.js";
import { EncodedFiles } from "./encoded.js";

const files = await EncodedFiles.create();
t.teardown(() => files.remove());

t.test("a missing program is named with its package", async (t) => {
	const lost = openFfmpeg({ program: "/nowhere/ffmpeg" });
	const refused = await refusal(() =>
		all(lost.decodeFile("a.mp3", options("mp3"))),
	);
	t.equal(refused.status, "100003", "not the client's fault");
	t.match(
		refused.message,
		/ffmpeg is not installed \(apt-get install ffmpeg\)/,
	);
});

t.test("a child that is killed is an error, even after samples", async (t) => {
	const killed = await pretender(
		files.path("killed"),
		"head -c 64000 /dev/zero; kill -9 $$",
	);
	let samplesSeen = 0;
	const refused = await refusal(async () => {
		for await (const samples of killed.decodeFile("a.mp3", options("mp3")))
			samplesSeen += samples.length;
	});
	t.equal(samplesSeen, 16_000);
	t.match(refused, {
		status: "200006",
		message: "audio can't be decoded: the decoder was killed by SIGKILL",
	});
});

t.test(
	"a child's error message is quoted without paths and addresses",
	async (t) => {
		const failing = await pretender(
			files.path("failing"),
			`echo "[mov @ 0x55d0c0ffee] moov atom not found in /secret/place/x.m4a" >&2; exit 1`,
		);
		const refused = await refusal(() =>
			all(failing.decodeFile("a.mp3", options("mp3"))),
		);
		t.equal(
			refused.message,
			"audio can't be decoded: [mov] moov atom not found in …",
		);
	},
);

t.test("a child that stalls is killed", async (t) => {
	const still = await pretender(files.path("still"), "exec sleep 600", 0.3);
	const refused = await refusal(() =>
		all(still.decodeFile("a.mp3", options("mp3"))),
	);
	t.match(refused.message, /the decoder stalled for 0.3 s/);
});

t.test("a slow consumer is no stalled child", async (t) => {
	const copying = await pretender(files.path("copying"), "exec cat");
	let release: () => void = () => {};
	const held = new Promise<void>((resolve) => {
		release = resolve;
	});
	let end: () => void = () => {};
	const ended = new Promise<void>((resolve) => {
		end = resolve;
	});
	async function* bytes() {
		yield new Uint8Array(6000);
		await held;
		yield new Uint8Array(2000);
		end();
	}
	let samplesSeen = 0;
	for await (const samples of copying.decodeBytes(bytes(), options("mp3"))) {
		if (samplesSeen === 0) {
			t.teardown(() => mock.timers.reset());
			mock.timers.enable({ apis: ["setTimeout"] });
			release();
			await ended;
			// the input's end is known by then
			await new Promise((turn) => setImmediate(turn));
			mock.timers.tick(31_000);
			mock.timers.reset();
		}
		samplesSeen += samples.length;
	}
	t.equal(samplesSeen, 2000);
});
