/** Two gibibytes at the door, in a real process: by EARSHOT_TEST_LARGE=1, for they take half a minute and 4 GiB of disk. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { open, stat, truncate } from "node:fs/promises";
import { setInterval } from "node:timers";
import { promisify } from "node:util";
import t from "tap";
import { EncodedFiles } from "../ffmpeg/encoded.js";
import { RunningAppliance } from "./running-appliance.js";

const skip = process.env.EARSHOT_TEST_LARGE
	? false
	: "EARSHOT_TEST_LARGE is not set";
const fileBytes = 2 * 1024 ** 3;
const grownMegabytesMax = 64;

t.test("two gibibytes of video pass through 64 MiB", { skip }, async (t) => {
	const files = await EncodedFiles.create();
	t.teardown(() => files.remove());
	const video = await largeVideo(files);
	const earshot = await RunningAppliance.start();
	t.teardown(() => earshot.dispose());
	const pid = earshot.process.pid as number;
	const before = residentMegabytes(pid);
	let peak = before;
	const timer = setInterval(() => {
		peak = Math.max(peak, residentMegabytes(pid));
	}, 50);
	const { stdout } = await promisify(execFile)("curl", [
		...["-sS", "-H", `Authorization: Bearer ${earshot.token}`],
		...["-F", `file=@${video}`, "-F", "lang_type=en", "-F", "format=mp4"],
		`${earshot.url}/v1/asrfile/upload`,
	]);
	clearInterval(timer);
	t.match(JSON.parse(stdout), { status: "000000", data: { duration: 3 } });
	t.comment(`${before.toFixed(0)} MiB before, ${peak.toFixed(0)} MiB at most`);
	t.ok(peak - before <= grownMegabytesMax, `${(peak - before).toFixed(1)} MiB`);
});

/** A few seconds of it, and then room that players skip: the file is full of holes. */
async function largeVideo(files: EncodedFiles): Promise<string> {
	const path = files.path("large.mp4");
	await files.ffmpeg([
		...["-f", "lavfi", "-i", "testsrc=duration=3:size=64x64:rate=5"],
		...["-f", "lavfi", "-i", "sine=duration=3", "-c:v", "mpeg4", path],
	]);
	const { size } = await stat(path);
	const header = Buffer.alloc(16);
	header.writeUInt32BE(1, 0); // its size follows, in 64 bits
	header.write("free", 4);
	header.writeBigUInt64BE(BigInt(fileBytes - size), 8);
	const file = await open(path, "a");
	await file.write(header);
	await file.close();
	await truncate(path, fileBytes);
	return path;
}

function residentMegabytes(pid: number): number {
	const status = readFileSync(`/proc/${pid}/status`, "utf8");
	return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
