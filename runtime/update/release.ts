/** Reads the trusted comment of a signature, and decides which releases are accepted: none for another processor, and no older one. */
import { compare, valid } from "semver";
import { UpdateError } from "./update-error.js";

/** Missing facts are read from the file itself, once it is verified. */
export interface Release {
	readonly version?: string;
	readonly architecture?: string;
	readonly bytes?: number;
	/** Of the text beside it that says what it changes, in hexadecimal digits. */
	readonly notesSha256?: string;
}

const fileName = /^earshot-(.+?)-linux-(x64|arm64)(-[\w.]+)?$/;

/**
 * @param comment `scripts/build --sign` writes `version:`, `arch:`, `bytes:` and, with notes, `notes:`, separated by tabs; `minisign -S` alone writes
 * `file:earshot-<version>-linux-<arch>`.
 */
export function releaseOf(comment: string): Release {
	const fields = new Map(
		comment.split("\t").map((part) => {
			const [name = "", value = ""] = part.split(/:(.*)/s);
			return [name, value];
		}),
	);
	const [, version, architecture] =
		fileName.exec(fields.get("file") ?? "") ?? [];
	const bytes = Number(fields.get("bytes"));
	return {
		...pick("version", valid(fields.get("version") ?? version)),
		...pick("architecture", fields.get("arch") ?? architecture),
		...(Number.isSafeInteger(bytes) && bytes > 0 && { bytes }),
		...pick(
			"notesSha256",
			/^[0-9a-f]{64}$/.exec(fields.get("notes") ?? "")?.[0],
		),
	};
}

function pick(name: string, value: string | null | undefined) {
	return value ? { [name]: value } : {};
}

export interface Here {
	readonly version: string;
	readonly architecture: string;
}

/** @throws UpdateError for another architecture. @returns false for this version or an older one. */
export function isNewer(release: Release, here: Here): boolean {
	const { architecture = here.architecture } = release;
	if (architecture !== here.architecture)
		throw new UpdateError(
			`it is built for ${architecture}, and this device is ${here.architecture}`,
		);
	return (
		release.version === undefined || compare(release.version, here.version) > 0
	);
}

/** @throws UpdateError where the file does not match its signature's comment. */
export function agree(claimed: Release, found: Here): void {
	const { version = found.version, architecture = found.architecture } =
		claimed;
	if (version !== found.version || architecture !== found.architecture)
		throw new UpdateError(
			`the signature's comment says ${version} for ${architecture}, but the file is ${found.version} for ${found.architecture}`,
		);
}
