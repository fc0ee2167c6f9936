/** What a signature's trusted comment tells of the file, and which releases are taken: no other processor's, no older one. */
import { compare, valid } from "semver";
import { UpdateError } from "./update-error.js";

/** What is not said is asked of the file itself, once it is verified. */
export interface Release {
	readonly version?: string;
	readonly architecture?: string;
	readonly bytes?: number;
}

const fileName = /^earshot-(.+?)-linux-(x64|arm64)(-[\w.]+)?$/;

/**
 * @param comment `scripts/build --sign` writes `version:`, `arch:` and `bytes:`, with tabs between them; of what `minisign -S` writes by itself there is
 * `file:earshot-<version>-linux-<arch>`.
 */
export function releaseOf(comment: string): Release {
	const told = new Map(
		comment.split("\t").map((part) => {
			const [name = "", value = ""] = part.split(/:(.*)/s);
			return [name, value];
		}),
	);
	const [, version, architecture] = fileName.exec(told.get("file") ?? "") ?? [];
	const bytes = Number(told.get("bytes"));
	return {
		...pick("version", valid(told.get("version") ?? version)),
		...pick("architecture", told.get("arch") ?? architecture),
		...(Number.isSafeInteger(bytes) && bytes > 0 && { bytes }),
	};
}

function pick(name: string, value: string | null | undefined) {
	return value ? { [name]: value } : {};
}

export interface Here {
	readonly version: string;
	readonly architecture: string;
}

/** @throws UpdateError where it is not for this device. @returns false where it is this version already, or an older one. */
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

/** @throws UpdateError where the file is not what its signature's comment says. */
export function agree(told: Release, found: Here): void {
	const { version = found.version, architecture = found.architecture } = told;
	if (version !== found.version || architecture !== found.architecture)
		throw new UpdateError(
			`the signature's comment says ${version} for ${architecture}, and the file is ${found.version} for ${found.architecture}`,
		);
}
