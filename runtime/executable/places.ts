/**
 * The folders in which the executable may unpack its parts, in the order of trying: folders named by the operator or the service manager first, a folder shared
 * by all users last.
 */
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { isDiskFull } from "../disk/full-disk.js";
import { PartFolder, type PartSource } from "./part-folder.js";
import { UnpackError } from "./unpack-error.js";

const variable = "EARSHOT_UNPACK_DIR";

interface User {
	readonly uid: number;
	/** Empty where there is none. */
	readonly homedir: string;
}

export function unpackPlaces(
	environment: NodeJS.ProcessEnv = process.env,
	user: User = thisUser(),
	temporary: string = tmpdir(),
): readonly string[] {
	if (environment[variable]) return [environment[variable]];
	const {
		STATE_DIRECTORY = "",
		XDG_CACHE_HOME,
		EARSHOT_STATE_DIR,
	} = environment;
	const [serviceState] = STATE_DIRECTORY.split(":");
	return [
		serviceState && join(serviceState, "unpacked"),
		XDG_CACHE_HOME
			? join(XDG_CACHE_HOME, "earshot")
			: user.homedir.startsWith("/") && join(user.homedir, ".cache/earshot"),
		EARSHOT_STATE_DIR && join(EARSHOT_STATE_DIR, "unpacked"),
		join(temporary, `earshot-${user.uid}`),
	].filter((place) => typeof place === "string" && place !== "") as string[];
}

/** A container may be run as a user without a name, so without a home. */
function thisUser(): User {
	try {
		return userInfo();
	} catch {
		return { uid: process.getuid?.() ?? 0, homedir: "" };
	}
}

/**
 * The first folder that holds the parts and allows loading them.
 * @param tryOut loads one of them: a file system mounted noexec refuses that.
 * @throws UnpackError with the error of each folder.
 */
export function openFirst(
	places: readonly string[],
	source: PartSource,
	tryOut: (folder: PartFolder) => void,
): PartFolder {
	const refusals: string[] = [];
	for (const place of places)
		try {
			const folder = PartFolder.open(place, source);
			tryOut(folder);
			return folder;
		} catch (error) {
			if (error instanceof UnpackError) throw error; // damage and a wrong C library do not depend on the folder
			refusals.push(`${place}: ${reasonOf(error)}`);
		}
	const bytes = source.parts.reduce((sum, it) => sum + it.bytes, 0);
	throw new UnpackError(
		`no folder for the ${Math.ceil(bytes / 1e6)} MB of libraries in this executable (${refusals.join("; ")}): set ${variable} to a folder that is writable and allows execution`,
	);
}

function reasonOf(error: unknown): string {
	const { code, message } = error as NodeJS.ErrnoException;
	if (isDiskFull(error)) return "the disk is full";
	if (code === "EFBIG") return "files may not be that large";
	if (code === "EROFS") return "it can't be written to";
	if (/failed to map segment|Operation not permitted/.test(message))
		return "programs can't be run from there (noexec)";
	return message;
}
