/** Uploads, and the disk that stored audio may take. */
import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";

/** For keys in megabytes. */
export const bytesPerMegabyte = 1024 * 1024;

export const filesSection = {
	audio_megabytes_max: setting(
		Type.Integer({ minimum: 1, maximum: 1_073_741_824 }),
		20_480,
		"Disk that stored audio (uploads, and recordings requested with audio_url) may take; uploads beyond it are refused with 100004.",
	),
	disk_reserve_megabytes: setting(
		Type.Integer({ minimum: 0, maximum: 1_073_741_824 }),
		512,
		"Disk that audio, word lists, corrections of transcripts and backups leave free for the rest of the database; what would use it is refused with 100004, and the daily backup is skipped.",
	),
	audio_file_bytes_max: setting(
		Type.Integer({ minimum: 1024, maximum: 1_099_511_627_776 }),
		1_073_741_824,
		"Bytes of an uploaded audio file.",
	),
	uploads_max: setting(
		Type.Integer({ minimum: 1, maximum: 10_000 }),
		32,
		"Files uploaded, or fetched from a file_url, at the same time, of which one caller holds three quarters at most; more are refused with 100004.",
	),
	video_file_bytes_max: setting(
		Type.Integer({ minimum: 1024, maximum: 1_099_511_627_776 }),
		2_147_483_648,
		"Bytes of an uploaded video file (standard transcription only).",
	),
};
