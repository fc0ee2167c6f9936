/**
 * Finds a program before it is started, so that a missing one results in a helpful message instead of ENOENT.
 */
import { access, constants } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { CodedError } from "../../runtime/errors.js";

/** @param name a program on the PATH, or an absolute path. @returns undefined if there is no such executable. */
export async function findExecutable(
	name: string,
): Promise<string | undefined> {
	const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
	const candidates = isAbsolute(name)
		? [name]
		: folders.map((folder) => join(folder, name));
	for (const candidate of candidates)
		if (await isExecutable(candidate)) return candidate;
	return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
	try {
		await access(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

/** Finds a program, and checks that `prlimit` exists, which limits it. @throws CodedError 100003 that names the package to install. */
export async function requireExecutable(
	name: string,
	debianPackage: string,
): Promise<string> {
	const program = await findExecutable(name);
	if (!program) throw missing(debianPackage, debianPackage);
	if (!(await findExecutable("prlimit")))
		throw missing("prlimit", "util-linux");
	return program;
}

/** A server error, because the client cannot do anything about it. */
function missing(program: string, debianPackage: string): CodedError {
	return new CodedError(
		"100003",
		`audio in a container can't be decoded on this device: ${program} is not installed (apt-get install ${debianPackage})`,
	);
}
