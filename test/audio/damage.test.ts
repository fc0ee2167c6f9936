/** Damaged and hostile bytes: all are either decoded or refused with a code, without much time or memory. */
import t from "tap";
import { holds } from "../fuzz/holds.js";
import {
	damagedWavsAreJudged,
	honestWav,
	randomBytesAreJudged,
} from "./damage.property.js";
import { openIntake } from "./listen.js";

t.test("a WAV with damage in its header", async (t) => {
	const fates = await holds(t, damagedWavsAreJudged(), 400);
	t.ok((fates.get("decoded") ?? 0) > 10, "some of it is harmless");
	t.ok((fates.get("200006") ?? 0) > 10, "some of it is not");
});

await holds(t, randomBytesAreJudged(), 300);

t.test("a header that never ends is refused", async (t) => {
	const intake = openIntake({ format: "wav" });
	await intake.accept(honestWav.subarray(0, 12));
	const chunk = new Uint8Array(1008);
	chunk.set(Buffer.from("junk\xe8\x03\0\0", "latin1")); // 1000 bytes, repeated
	let bytesGiven = 0;
	const flood = async () => {
		for (; bytesGiven < 64e6; bytesGiven += chunk.length)
			await intake.accept(chunk);
	};
	await t.rejects(flood(), { status: "200006", message: /no fmt chunk/ });
	t.ok(bytesGiven < 2e6);
	intake.close();
});
