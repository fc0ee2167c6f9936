/**
 * Files of npm packages: of node_modules where they are installed, else fetched with npm, checked, and kept in a cache for the next build. What comes out is
 * the same in both cases, because both have passed the same checksum.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	renameSync,
	rmSync,
} from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { integrities, type PackagedFile } from "./target.js";

const cache = join(
	process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"),
	"earshot-build",
);

interface Lock {
	readonly packages: Readonly<
		Record<string, { readonly version?: string; readonly integrity?: string }>
	>;
}

/** The path of a file of a package that the lock file names. */
export function packagedFile({ packageName, path }: PackagedFile): string {
	const installed = join("node_modules", packageName);
	const folder = existsSync(installed)
		? installed
		: fetchLocked(packageName, lockedPackage(packageName));
	const file = join(folder, path);
	if (!existsSync(file)) throw new Error(`${packageName} has no ${path}`);
	return file;
}

/** @returns the folder of an unpacked package. @throws unless it is what the checksum says. */
export function fetchPackage(
	name: string,
	version: string,
	integrity: string,
): string {
	const folder = join(cache, `${name.replace("/", "+")}@${version}`);
	if (existsSync(folder)) return folder;
	mkdirSync(cache, { recursive: true });
	const work = mkdtempSync(join(cache, ".fetching-"));
	try {
		console.error(`fetching ${name}@${version}`);
		const told = execFileSync(
			"npm",
			["pack", "--json", "--loglevel=error", `${name}@${version}`],
			{ cwd: work, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
		);
		const [packed] = Object.values(JSON.parse(told)) as { filename: string }[];
		const archive = join(work, basename(packed?.filename ?? ""));
		const [kind = "", expected = ""] = integrity.split(/-(.*)/s);
		const found = createHash(kind)
			.update(readFileSync(archive))
			.digest("base64");
		if (found !== expected)
			throw new Error(`${name}@${version} is not what it should be: ${found}`);
		execFileSync("tar", ["-xzf", archive, "-C", work]);
		renameSync(join(work, "package"), folder);
	} finally {
		rmSync(work, { recursive: true, force: true });
	}
	return folder;
}

/** @returns its version, and its checksum where the lock file has one. */
export function lockedPackage(name: string): {
	readonly version: string;
	readonly integrity: string | undefined;
} {
	const { packages } = JSON.parse(
		readFileSync("package-lock.json", "utf8"),
	) as Lock;
	const entry = packages[`node_modules/${name}`];
	// libraries for a processor have the version of the package that loads them
	const version = entry?.version ?? packages[ownerOf(name)]?.version;
	if (!version) throw new Error(`package-lock.json has no ${name}`);
	return { version, integrity: entry?.integrity ?? integrities[name] };
}

function ownerOf(name: string): string {
	return `node_modules/${name.replace(/-linux-(x64|arm64)(-gnu)?$/, "")}`;
}

function fetchLocked(
	name: string,
	locked: ReturnType<typeof lockedPackage>,
): string {
	if (!locked.integrity)
		throw new Error(
			`no checksum of ${name}@${locked.version}: add it to target.ts`,
		);
	return fetchPackage(name, locked.version, locked.integrity);
}
