/** The executable can't use what it brings along. The message is one sentence for whoever started it. */
export class UnpackError extends Error {
	override readonly name = "UnpackError";
}

/** glibc's dynamic loader on a library that wants a newer one. */
const tooOld = /version `GLIBC_([\d.]+)' not found/;

/**
 * @param reason the loader's own words.
 * @param needed the glibc that all parts of this executable run with.
 * @returns what to do on a system whose C library is too old; undefined where that is not the reason.
 */
export function glibcAdvice(
	reason: string,
	needed: string,
	found: string | undefined,
): string | undefined {
	const wanted = tooOld.exec(reason)?.[1];
	if (wanted === undefined) return undefined;
	const here = found ? `glibc ${found}` : "no glibc";
	return `this executable needs glibc ${newer(needed, wanted)} or newer and this system has ${here}: take the one that is built with Node 20 (glibc 2.34 or newer), or a newer system`;
}

function newer(a: string, b: string): string {
	const [aMajor = 0, aMinor = 0] = a.split(".").map(Number);
	const [bMajor = 0, bMinor = 0] = b.split(".").map(Number);
	return aMajor > bMajor || (aMajor === bMajor && aMinor >= bMinor) ? a : b;
}
