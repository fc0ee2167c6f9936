/** Containers decoded from a live stream: nothing is lost, and samples do not wait for later bytes. */
import t from "tap";
import { openFfmpeg } from "../../drivers/ffmpeg/decoder.js";
import type { Container } from "../../runtime/audio/decoder-port.js";
import { CodedError } from "../../runtime/errors.js";
import { refusal } from "../audio/listen.js";
import { below, randomOf } from "../fuzz/random.js";
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
	decoded: Promise<void>,
): AsyncGenerator<Uint8Array> {
	const firstEnd = Math.ceil(bytes.length * 0.7);
	for (let at = 0; at < firstEnd; at += 100)
		yield bytes.subarray(at, Math.min(firstEnd, at + 100));
	await decoded;
	yield bytes.subarray(firstEnd);
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

/** As a browser's recorder: no length, no index, clusters of unknown size. */
const recorded = ["-ar", "48000", "-live", "1", "-cluster_time_limit", "100"];

const encodings: [Container, string, string[]][] = [
	["wav", "adpcm_ms", ["-c:a", "adpcm_ms"]],
	["ogg", "libopus", ["-c:a", "libopus", "-b:a", "32k"]],
	["ogg", "libvorbis", ["-c:a", "libvorbis"]],
	["webm", "libopus", [...recorded, "-c:a", "libopus"]],
	["webm", "libvorbis", [...recorded, "-c:a", "libvorbis"]],
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
			let reportEnough: () => void = () => {};
			const enough = new Promise<void>((resolve) => {
				reportEnough = resolve;
			});
			const spoken = inTwoBreaths(bytes, enough);
			const streamed = await samplesIn(
				decoder.decodeBytes(spoken, { container, ...live }),
				(total) => total > whole * 0.2 && reportEnough(),
			);
			t.equal(streamed, whole, container);
		}
	},
);

t.test(
	"a recording cut anywhere is heard or refused, soon",
	{ skip },
	async (t) => {
		for (const [container, encoder] of [
			["webm", "libopus"],
			["ogg", "libvorbis"],
		] as const) {
			const args = container === "webm" ? recorded : [];
			const bytes = await bytesOf(container, encoder, [
				...args,
				"-c:a",
				encoder,
			]);
			if (!bytes) continue;
			const random = randomOf(3);
			const cuts = [5, 45, 300, bytes.length - 1];
			for (let i = 0; i < 4; i++) cuts.push(below(random, bytes.length));
			for (const cut of cuts) {
				const sent = atOnce(bytes.subarray(0, cut));
				const samples = await outcome(sent, container);
				t.ok(
					samples > 0 || cut < 6000,
					`${container} cut at ${cut}: ${samples}`,
				);
			}
		}
	},
);

t.test("a length of a gigabyte is not believed", { skip }, async (t) => {
	const bytes = await bytesOf("webm", "libopus", [
		...recorded,
		"-c:a",
		"libopus",
	]);
	if (!bytes) return;
	const cluster = Buffer.from(bytes).indexOf("1f43b675", 0, "hex");
	t.ok(cluster > 0);
	const giga = Buffer.from("0100000040000000", "hex");
	// a cluster, a block in it, and the tracks before it
	for (const [name, element] of [
		["cluster", Buffer.from("1f43b675", "hex")],
		["block", Buffer.from("a3", "hex")],
		["tracks", Buffer.from("1654ae6b", "hex")],
	] as const) {
		const at = Buffer.from(bytes).indexOf(
			element,
			name === "block" ? cluster : 200,
		);
		const after = at + element.length;
		const lying = Buffer.concat([
			bytes.subarray(0, after),
			giga,
			bytes.subarray(after + 1),
		]);
		const before = process.memoryUsage().rss;
		await outcome(atOnce(lying), "webm");
		const grown = (process.memoryUsage().rss - before) / 1024 ** 2;
		t.ok(grown < 100, `${name}: ${grown.toFixed(0)} MB`);
	}
});

/** @returns samples; 0 where it was refused as the client's fault. */
async function outcome(
	bytes: AsyncIterable<Uint8Array>,
	container: Container,
): Promise<number> {
	try {
		return await samplesIn(decoder.decodeBytes(bytes, { container, ...live }));
	} catch (error) {
		if (error instanceof CodedError && /^20000[67]$/.test(error.status))
			return 0;
		throw error;
	}
}

t.test(
	"a stream of another format than stated is refused",
	{ skip },
	async (t) => {
		async function* noise() {
			for (let i = 0; i < 20; i++) yield Buffer.alloc(500, `no flac ${i}`);
		}
		const decode = () =>
			samplesIn(decoder.decodeBytes(noise(), { container: "flac", ...live }));
		t.match(await refusal(decode), { status: "200006" });
	},
);
