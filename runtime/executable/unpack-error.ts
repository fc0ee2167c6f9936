/** The executable can't use its parts. The message is one sentence for the user. */
export class UnpackError extends Error {
	override readonly name = "UnpackError";
}

/** How the program ends with such an error. @throws any other one */
export function reportUnpackError(error: unknown): void {
	if (!(error instanceof UnpackError)) throw error;
	process.stderr.write(`earshot: ${error.message}\n`);
	process.exitCode = 1;
}

/** Error of glibc's dynamic loader for a library that needs a newer glibc. */
const tooOld = /version `GLIBC_([\d.]+)' not found/;

/** The flavour for the oldest supported systems (scripts/executable/target.ts). */
const oldest = { flavour: "glibc2.34", glibc: "2.34" };

/**
 * @param reason the loader's message.
 * @param needed the glibc that all parts of this executable run with.
 * @returns what to do on a system whose C library is too old; undefined for another reason.
 */
export function glibcAdvice(
	reason: string,
	needed: { readonly flavour: string; readonly glibc: string },
	found: string | undefined,
): string | undefined {
	const wanted = tooOld.exec(reason)?.[1];
	if (wanted === undefined) return undefined;
	const here = found ? `glibc ${found}` : "no glibc";
	const isServed =
		needed.flavour !== oldest.flavour &&
		found !== undefined &&
		newer(found, oldest.glibc) === found;
	const advice = isServed
		? `use the flavour ${oldest.flavour}, which needs glibc ${oldest.glibc}`
		: `there is no executable for it; at least glibc ${oldest.glibc} is required`;
	return `this executable (flavour ${needed.flavour}) needs glibc ${newer(needed.glibc, wanted)} or newer and this system has ${here}: ${advice}`;
}

function newer(a: string, b: string): string {
	const [aMajor = 0, aMinor = 0] = a.split(".").map(Number);
	const [bMajor = 0, bMinor = 0] = b.split(".").map(Number);
	return aMajor > bMajor || (aMajor === bMajor && aMinor >= bMinor) ? a : b;
}
