/**
 * Explains why uWebSockets.js can't be loaded here, and which Node to use instead, in one sentence. Its prebuilt binary is chosen by Node's ABI, and those for
 * Node 22 and later need a newer C library than Debian 12 has.
 */
import { glibcVersion } from "../../process/glibc-version.js";

const modernGlibc = 2.38;

export interface Platform {
	/** `v20.20.2` */
	readonly node: string;
	/** `2.36`; undefined on a C library that is not glibc. */
	readonly glibc: string | undefined;
}

export function currentPlatform(): Platform {
	return { node: process.version, glibc: glibcVersion() };
}

/** @param reason the loader's message. */
export function nativeAdvice(platform: Platform, reason: string): string {
	const { node, glibc } = platform;
	const found = `Node ${node.replace(/^v/, "")} and ${glibc ? `glibc ${glibc}` : "no glibc"}`;
	const why = reason.trim().split("\n").at(-1) ?? "";
	return `the web server's native part can't load with ${found}: ${advice(glibc)} (${why})`;
}

function advice(glibc: string | undefined): string {
	if (!glibc) return "use a Linux with glibc, such as Debian, and Node 20";
	return isModern(glibc)
		? "use Node 20, 22 or 24"
		: "use Node 20 (Node 22 and 24 need glibc 2.38 or later)";
}

function isModern(glibc: string): boolean {
	const [major = 0, minor = 0] = glibc.split(".").map(Number);
	const [wantMajor = 0, wantMinor = 0] = String(modernGlibc)
		.split(".")
		.map(Number);
	return major > wantMajor || (major === wantMajor && minor >= wantMinor);
}
