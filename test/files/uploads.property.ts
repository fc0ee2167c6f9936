/** Uploads that are damaged on their way: the form, or the file in it. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Test } from "tap";
import {
	amrBytes,
	EncodedFiles,
	ffmpegMissing,
	hasEncoder,
} from "../ffmpeg/encoded.js";
import { NotHere, type Property } from "../fuzz/property.js";
import { below, pick } from "../fuzz/random.js";
import { type Damage, damaged, someDamage } from "./damage.js";
import {
	boundary,
	filePart,
	formBytes,
	partOf,
	uploadRaw,
} from "./raw-form.js";
import { type RunningFiles, startFiles, wavBytes } from "./running-files.js";

const marks = [
	...["\r\n", "\r", "\n", "\r\n\r\n", "--", '"', ";", "\0", boundary],
	...[`--${boundary}`, `--${boundary}--`, 'name="file"; filename=""'],
	"Content-Disposition: form-data;",
];
const overrides = { auth: { rate_per_second: 0 } };

export async function formsLeaveNothing(
	t: Test,
): Promise<Property<readonly Damage[]>> {
	const files = await startFiles(t, { overrides });
	const whole = formBytes([
		partOf("lang_type", "en"),
		partOf("format", "wav"),
		filePart("a.wav", wavBytes(0.02)),
		partOf("gain", "2"),
	]);
	return {
		name: "files/forms",
		promise: "damaged forms are taken or refused, and leave nothing but tasks",
		draw: (random) =>
			Array.from({ length: 1 + below(random, 5) }, () =>
				someDamage(random, marks, 60),
			),
		async check(all) {
			const { status, message } = await uploadRaw(files, damaged(whole, all));
			assert.match(status, /^(000000|2\d{5})$/, message);
			await settle(files, status);
			return status;
		},
	};
}

interface DamagedFile {
	readonly file: string;
	readonly damage: readonly Damage[];
}

export async function damagedFilesLeaveNothing(
	t: Test,
): Promise<Property<DamagedFile>> {
	const missing = await ffmpegMissing();
	if (missing) throw new NotHere(missing);
	const files = await startFiles(t, { overrides });
	const sounds = await everyContainer(t);
	return {
		name: "files/damaged",
		promise: "damaged files are transcribed or refused, and leave nothing",
		draw(random) {
			const file = pick(random, Object.keys(sounds));
			// half of them hit the header, where they hurt
			const reach = random() < 0.5 ? 1 : 0.01;
			const damage = Array.from({ length: 1 + below(random, 40) }, () => {
				const one = someDamage(random, [], 4000);
				return one.is === "flip" ? { ...one, at: one.at * reach } : one;
			});
			return { file, damage };
		},
		async check({ file, damage }) {
			const [format = ""] = file.split(" ");
			const whole = sounds[file] ?? Buffer.alloc(0);
			const { status, message, data } = await files.upload({
				lang_type: "en",
				format,
				file: damaged(whole, damage),
			});
			assert.match(status, /^(000000|20000[4567])$/, message);
			assert.doesNotMatch(message, /earshot-|\/tmp|\.part/, "no path is told");
			const nothing = { duration: 0, task_id: "" };
			if (status !== "000000") assert.deepEqual(data, nothing);
			await settle(files, status);
			return status;
		},
	};
}

/** Accepted files are on the shelf and are removed; nothing else is there. */
async function settle(files: RunningFiles, status: string): Promise<void> {
	const taken = status === "000000" ? [files.taskService.last] : [];
	const left = taken.map(({ audioId }) => audioId);
	assert.deepEqual(files.left(), left);
	for (const { id, audioId } of taken) {
		await files.shelf.remove(audioId);
		await files.taskService.remove(id);
	}
}

/** Three seconds of each, by format; several of one format have a suffix. */
async function everyContainer(t: Test): Promise<Record<string, Buffer>> {
	const encoded = await EncodedFiles.create();
	t.teardown(() => encoded.remove());
	const bytesOf = async (name: string, args: readonly string[] = []) =>
		readFile(await encoded.encode(name, args));
	return {
		wav: await bytesOf("b.wav"),
		"wav adpcm": await bytesOf("b-adpcm.wav", ["-c:a", "adpcm_ms"]),
		mp3: await bytesOf("b.mp3"),
		aac: await bytesOf("b.aac"),
		m4a: await bytesOf("b.m4a"),
		mp4: await bytesOf("b.mp4", ["-movflags", "+faststart"]),
		"3gp": await bytesOf("b.3gp", ["-c:a", "aac"]),
		flac: await bytesOf("b.flac"),
		amr: Buffer.from(amrBytes(150)),
		...((await hasEncoder("libopus")) && {
			opus: await bytesOf("b.opus", ["-c:a", "libopus"]),
		}),
	};
}
