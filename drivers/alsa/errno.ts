/**
 * Names of the errors that libasound returns as negative numbers: Linux' errno, which is the same on x64 and arm64.
 * ALSA gives some of them a special meaning (alsa-lib, "PCM (digital audio) interface", Error codes).
 */
const names: Readonly<Record<number, string>> = {
	1: "EPERM",
	2: "ENOENT",
	4: "EINTR",
	5: "EIO",
	6: "ENXIO",
	9: "EBADF",
	11: "EAGAIN",
	12: "ENOMEM",
	13: "EACCES",
	16: "EBUSY",
	19: "ENODEV",
	22: "EINVAL",
	25: "ENOTTY",
	32: "EPIPE", // an overrun
	38: "ENOSYS",
	62: "ETIME",
	77: "EBADFD", // wrong state
	86: "ESTRPIPE", // suspended
	107: "ENOTCONN",
	110: "ETIMEDOUT",
	111: "ECONNREFUSED",
};

/** @param result negative. */
export function errnoName(result: number): string {
	return names[-result] ?? `E${-result}`;
}
