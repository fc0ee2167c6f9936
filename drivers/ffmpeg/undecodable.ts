/** The error of audio that ffmpeg and ffprobe can make nothing of. */
import { CodedError } from "../../runtime/errors.js";

/** @returns 200006 */
export function undecodable(why: string): CodedError {
	return new CodedError("200006", `audio can't be decoded: ${why}`);
}
