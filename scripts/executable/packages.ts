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
import {
	ownPackage,
	type PackagedFile,
	pinned,
	type Target,
} from "./target.js";

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
	const file = join(packageFolder(packageName), path);
	if (!existsSync(file)) throw new Error(`${packageName} has no ${path}`);
	return file;
}

/** Installed, or fetched. */
export function packageFolder(name: string): string {
	if (name === ownPackage) return ".";
	const installed = join("node_modules", name);
	if (existsSync(installed)) return installed;
	const { version, integrity } = lockedPackage(name);
	return fetchPackage(name, version, integrity);
}

/** The package whose libraries for one processor a package holds; itself, if it does not. */
export function packageOwner(name: string): string {
	const owner = name.replace(/-linux-(x64|arm64)(-gnu)?$/, "");
	return owners[owner] ?? owner;
}

const owners: Readonly<Record<string, string>> = {
	"@lmdb/lmdb": "lmdb",
	"@msgpackr-extract/msgpackr-extract": "msgpackr-extract",
	"@yuuang/ffi-rs": "ffi-rs",
};

export function nodeFolder({ architecture, node }: Target): string {
	return fetchPackage(
		`node-linux-${architecture}`,
		node.version,
		node.integrity[architecture],
	);
}

/** @returns the folder of an unpacked package. @throws unless it is what the checksum says. */
function fetchPackage(
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
		const output = execFileSync(
			"npm",
			["pack", "--json", "--loglevel=error", `${name}@${version}`],
			{ cwd: work, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
		);
		const [packed] = Object.values(JSON.parse(output)) as {
			filename: string;
		}[];
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

/** @returns its version and checksum: of the lock file, or of target.ts where that has none. */
export function lockedPackage(name: string): {
	readonly version: string;
	readonly integrity: string;
} {
	const { packages } = JSON.parse(
		readFileSync("package-lock.json", "utf8"),
	) as Lock;
	const { version, integrity } =
		packages[`node_modules/${name}`] ?? pinned[name] ?? {};
	if (!version || !integrity)
		throw new Error(`no checksum of ${name}: add it to target.ts`);
	return { version, integrity };
}
