/** What each variant of file transcription accepts (docs/interface.md section 8, docs/decisions.md section 3). */

import {
	formatNamed,
	type RequestFormat,
	requestFormats,
} from "../../audio/container.js";
import { CodedError } from "../../errors.js";
import type { Variant } from "../file-options.js";

const notForVip: ReadonlySet<RequestFormat> = new Set(["mp4", "m4a"]);

export const formatsOf: Readonly<Record<Variant, readonly RequestFormat[]>> = {
	standard: requestFormats,
	vip: requestFormats.filter((it) => !notForVip.has(it)),
};

/** Formats that may contain video. */
const videoFormats: ReadonlySet<string> = new Set(["mp4", "3gp", "webm"]);

/** Channels are mixed or recognized separately; more than two are not supported. */
export const channelsMax = 2;

/** `[files]` */
export interface FileSizes {
	readonly audio_file_bytes_max: number;
	readonly video_file_bytes_max: number;
}

/** @param format given by the client; undefined while not received. */
export function fileBytesMax(
	sizes: FileSizes,
	variant: Variant,
	format: string | undefined,
): number {
	const mayBeVideo =
		variant === "standard" &&
		(format === undefined || videoFormats.has(formatNamed(format)));
	return mayBeVideo
		? Math.max(sizes.audio_file_bytes_max, sizes.video_file_bytes_max)
		: sizes.audio_file_bytes_max;
}

/** @throws CodedError 200004 */
export function checkFileSize(bytes: number, bytesMax: number): void {
	if (bytes > bytesMax)
		throw new CodedError(
			"200004",
			`file is larger than the limit of ${bytesMax} bytes`,
		);
}
