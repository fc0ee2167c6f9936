/** Containers decoded from a live stream: nothing is lost, and samples do not wait for later bytes. */
import t from "tap";
import { openFfmpeg } from "../../drivers/ffmpeg/decoder.js";
import type { Container } from "../../runtime/audio/decoder-port.js";
import { refusal } from "../audio/listen.js";
import {
	amrBytes,
	EncodedFiles,
	ffmpegMissing,
	hasEncoder,
} from "./encoded.js";

const skip = await ffmpegMissing();
const files = await EncodedFiles.create();
t.teardown(() => files.remove());
const decoder = openFfmpeg({ spoolFolder: files.folder });

const live = { durationSecondsMax: Number.POSITIVE_INFINITY, streamed: true };

async function samplesIn(
	samples: AsyncIterable<Float32Array>,
	onMore: (total: number) => void = () => {},
): Promise<number> {
	let total = 0;
	for await (const piece of samples) {
		total += piece.length;
		onMore(total);
	}
	return total;
}

async function* atOnce(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}

/** The speaker continues only when the first part was decoded. */
async function* inTwoBreaths(
	bytes: Uint8Array,
	heard: Promise<void>,
): AsyncGenerator<Uint8Array> {
	const said = Math.ceil(bytes.length * 0.7);
	for (let at = 0; at < said; at += 100)
		yield bytes.subarray(at, Math.min(said, at + 100));
	await heard;
	yield bytes.subarray(said);
}

async function bytesOf(
	container: Container,
	encoder: string,
	args: readonly string[],
): Promise<Uint8Array | undefined> {
	if (container === "amr") return amrBytes(150);
	if (!(await hasEncoder(encoder))) return undefined;
	await files.encode(`live.${container}`, args);
	return files.read(`live.${container}`);
}

const encodings: [Container, string, string[]][] = [
	["wav", "adpcm_ms", ["-c:a", "adpcm_ms"]],
	["ogg", "libopus", ["-c:a", "libopus", "-b:a", "32k"]],
	["mp3", "libmp3lame", ["-c:a", "libmp3lame"]],
	["aac", "aac", ["-c:a", "aac", "-f", "adts"]],
	["flac", "flac", ["-c:a", "flac"]],
	["amr", "", []],
];

t.test(
	"samples come before the last bytes, and none is lost",
	{ skip },
	async (t) => {
		for (const [container, encoder, args] of encodings) {
			const bytes = await bytesOf(container, encoder, args);
			if (!bytes) {
				t.pass(container, { skip: `this ffmpeg has no encoder ${encoder}` });
				continue;
			}
			const whole = await samplesIn(
				decoder.decodeBytes(atOnce(bytes), {
					container,
					durationSecondsMax: 60,
				}),
			);
			let heardEnough: () => void = () => {};
			const enough = new Promise<void>((resolve) => {
				heardEnough = resolve;
			});
			const spoken = inTwoBreaths(bytes, enough);
			const streamed = await samplesIn(
				decoder.decodeBytes(spoken, { container, ...live }),
				(total) => total > whole * 0.2 && heardEnough(),
			);
			t.equal(streamed, whole, container);
		}
	},
);

t.test(
	"a stream of another format than stated is refused",
	{ skip },
	async (t) => {
		async function* noise() {
			for (let i = 0; i < 20; i++) yield Buffer.alloc(500, `no flac ${i}`);
		}
		const heard = () =>
			samplesIn(decoder.decodeBytes(noise(), { container: "flac", ...live }));
		t.match(await refusal(heard), { status: "200006" });
	},
);
