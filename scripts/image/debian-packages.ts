/** Debian packages for any processor, with all that they depend on, fetched with apt-get in folders of our own: nothing of the system is changed. */
import { execFileSync } from "node:child_process";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import type { Platform } from "./platform.js";

/** The executable's usual flavour is for it (docs/executable.md). */
const release = "bookworm";
const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";

export interface DebianPackage {
	readonly name: string;
	/** Its fields, as dpkg keeps them. */
	readonly control: string;
	/** Its files, unpacked. */
	readonly root: string;
}

/** @param cache where packages are kept. @returns sorted by name. */
export function fetchPackages(
	names: readonly string[],
	platform: Platform,
	cache: string,
): DebianPackage[] {
	const work = resolve(cache, platform.debian);
	const archives = join(work, "cache/archives");
	mkdirSync(join(archives, "partial"), { recursive: true });
	mkdirSync(join(work, "lists/partial"), { recursive: true });
	writeFileSync(join(work, "sources.list"), sourcesOf(mirror()));
	writeFileSync(join(work, "status"), ""); // nothing is installed
	const options = [
		`APT::Architecture=${platform.debian}`,
		`APT::Architectures=${platform.debian}`,
		`Dir::Etc::sourcelist=${join(work, "sources.list")}`,
		"Dir::Etc::sourceparts=/nonexistent",
		`Dir::State::lists=${join(work, "lists")}`,
		`Dir::State::status=${join(work, "status")}`,
		`Dir::Cache=${join(work, "cache")}`,
		"APT::Sandbox::User=", // folders of the one who builds
		"Debug::NoLocking=true",
	].flatMap((it) => ["-o", it]);
	const apt = (...words: string[]) =>
		execFileSync("apt-get", ["-qq", ...options, ...words], {
			encoding: "utf8",
			stdio: ["ignore", "pipe", "inherit"],
		});
	apt("update");
	const install = ["install", "--no-install-recommends", "-y"];
	apt(...install, "--download-only", ...names);
	// which of the archives that are kept belong to it
	const simulated = apt(...install, "--simulate", ...names);
	return [...simulated.matchAll(/^Inst (\S+) \((\S+) /gm)]
		.map(([, name = "", version = ""]) => ({ name, version }))
		.sort((a, b) => (a.name < b.name ? -1 : 1))
		.map(({ name, version }) => unpacked(name, version, archives, work));
}

function unpacked(
	name: string,
	version: string,
	archives: string,
	work: string,
): DebianPackage {
	const start = `${name}_${version.replace(":", "%3a")}_`;
	const file = readdirSync(archives).find((it) => it.startsWith(start));
	if (!file) throw new Error(`apt-get did not fetch ${name} ${version}`);
	const archive = join(archives, file);
	const root = join(work, "unpacked", file.replace(/\.deb$/, ""));
	if (!existsSync(root)) {
		mkdirSync(join(work, "unpacked"), { recursive: true });
		const part = mkdtempSync(join(work, "part-"));
		execFileSync("dpkg-deb", ["-x", archive, part]);
		rmSync(root, { recursive: true, force: true });
		renameSync(part, root);
	}
	const control = execFileSync("dpkg-deb", ["-f", archive], {
		encoding: "utf8",
	});
	return { name, control, root };
}

/** With security fixes. */
function sourcesOf(address: string): string {
	const security = address.replace(/\/debian\/?$/, "/debian-security");
	const from = (url: string, suite: string) =>
		`deb [signed-by=${keyring}] ${url} ${suite} main\n`;
	return [
		from(address, release),
		from(address, `${release}-updates`),
		...(security === address ? [] : [from(security, `${release}-security`)]),
	].join("");
}

/** That of this machine, where none is given. */
function mirror(): string {
	if (process.env.DEBIAN_MIRROR) return process.env.DEBIAN_MIRROR;
	const policy = execFileSync("apt-cache", ["policy"], { encoding: "utf8" });
	const [, found] = / (https?:\/\/\S+\/debian)\/? /.exec(policy) ?? [];
	if (!found) throw new Error("no Debian mirror is known: set DEBIAN_MIRROR");
	return found;
}
