/** How much later than the pictures the sound of a video begins. Samples count from the sound, and times that people see from the beginning of the video. */
import type { Container } from "../../runtime/audio/decoder-port.js";
import { CodedError } from "../../runtime/errors.js";
import { limitedArgv, probeArgv } from "./argv.js";
import { findExecutable } from "./executable.js";
import { readLines } from "./lines.js";

/** A shorter delay is an encoder's, not the recording's. */
const delaySecondsMin = 0.1;
const childSecondsMax = 30;
/** CPU limit of the child, as for decoding this much audio. */
const cpuAudioSeconds = 60;

/** Whether there are pictures and sound in it, each with time stamps of its own. */
export function hasTracks(container: Container): boolean {
	return container === "mp4" || container === "webm";
}

/** @param begin of the sound, @param containerBegin the least of all tracks: seconds, as ffprobe prints them. @returns 0 where one is not known. */
export function delayBetween(begin = "", containerBegin = ""): number {
	const seconds = Number.parseFloat(begin) - Number.parseFloat(containerBegin);
	return seconds >= delaySecondsMin ? seconds : 0;
}

/** @returns 0 for a file that can't be read, as decoding it says, and without ffprobe. */
export async function delayOf(
	path: string,
	container: Container,
	signal: AbortSignal | undefined,
): Promise<number> {
	if (!hasTracks(container)) return 0;
	const ffprobe = await findExecutable("ffprobe");
	if (ffprobe === undefined) return 0;
	const argv = [
		ffprobe,
		...probeArgv(path, container, [
			...["-select_streams", "a:0"],
			...["-show_entries", "stream=start_time:format=start_time"],
			...["-of", "csv=p=0"],
		]),
	];
	const printed: string[] = [];
	try {
		for await (const lines of readLines({
			argv: limitedArgv(argv, { durationSecondsMax: cpuAudioSeconds }),
			secrets: [path],
			secondsMax: childSecondsMax,
			signal,
		}))
			printed.push(...lines);
	} catch (error) {
		if (error instanceof CodedError) return 0;
		throw error;
	}
	return delayBetween(printed[0], printed[1]);
}
