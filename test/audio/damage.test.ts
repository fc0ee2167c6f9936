/** Damaged and hostile bytes: every one is either heard or refused with a code, and no test here may take long or much memory. */
import t from "tap";
import type { AudioFormat } from "../../runtime/audio/container.js";
import { CodedError } from "../../runtime/errors.js";
import { runSeeds } from "./cuts.js";
import { openIntake } from "./listen.js";
import { seededRandom } from "./signals.js";
import { wavBytes } from "./wav-bytes.js";

/** @returns what became of it; a bug throws. */
async function fate(bytes: Uint8Array, format: AudioFormat): Promise<string> {
	const intake = await openIntake({ format });
	try {
		const pieces = [bytes.subarray(0, 50), bytes.subarray(50)];
		for (const piece of pieces)
			if (!intake.needsDecoder) {
				const samples = intake.accept(piece);
				if (!samples.every(Number.isFinite)) throw new Error("not finite");
			}
		if (!intake.needsDecoder) intake.finish();
		return intake.needsDecoder ? "decoder" : "heard";
	} catch (failure) {
		if (failure instanceof CodedError) return failure.status;
		throw failure;
	} finally {
		intake.close();
	}
}

const honest = wavBytes({
	tag: 1,
	channels: 2,
	sampleRateHz: 22050,
	bits: 16,
	data: new Uint8Array(8000).fill(3),
	chunksBefore: [
		["LIST", new Uint8Array(20)],
		["ds64", new Uint8Array(28)],
	],
});

t.test("a WAV with damage in its header is heard or refused", async (t) => {
	const fates = new Map<string, number>();
	for (const seed of runSeeds(400)) {
		const random = seededRandom(seed);
		const damaged = honest.slice();
		for (let hits = 1 + random() * 4; hits > 0; hits--)
			damaged[Math.floor(random() * 130)] = Math.floor(random() * 256);
		const came = await fate(damaged, "wav");
		t.ok(
			/^(heard|decoder|2000(05|06|07))$/.test(came),
			`seed ${seed}: ${came}`,
		);
		fates.set(came, (fates.get(came) ?? 0) + 1);
	}
	t.ok((fates.get("heard") ?? 0) > 10, "some of it is harmless");
	t.ok((fates.get("200006") ?? 0) > 10, "some of it is not");
});

t.test("random bytes under any label are heard or refused", async (t) => {
	const formats: AudioFormat[] = [
		"pcm",
		"wav",
		"opus",
		"mp3",
		"aac",
		"amr",
		"m4a",
		"flac",
	];
	for (const seed of runSeeds(40)) {
		const random = seededRandom(seed);
		const bytes = Uint8Array.from({ length: 40_000 }, () => random() * 256);
		for (const format of formats) {
			const expected = format === "pcm" ? "heard" : "200006";
			t.equal(await fate(bytes, format), expected, `${format}, seed ${seed}`);
		}
	}
});

t.test("a header that never ends is given up", async (t) => {
	const intake = await openIntake({ format: "wav" });
	intake.accept(honest.subarray(0, 12));
	const chunk = new Uint8Array(1008);
	chunk.set(Buffer.from("junk\xe8\x03\0\0", "latin1")); // 1000 bytes, again and again
	let bytesGiven = 0;
	const flood = () => {
		for (; bytesGiven < 64e6; bytesGiven += chunk.length) intake.accept(chunk);
	};
	t.throws(flood, { status: "200006", message: /no fmt chunk/ });
	t.ok(bytesGiven < 2e6);
	intake.close();
});
