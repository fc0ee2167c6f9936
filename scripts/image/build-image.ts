/** `scripts/container`: the image for one processor or several, in layers that change at different paces: Debian's files, models, the program. */
import { execFileSync } from "node:child_process";
import {
	chmodSync,
	copyFileSync,
	mkdirSync,
	readdirSync,
	rmSync,
	statSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { ownVersion } from "../executable/bundle.js";
import { executableName, usualFlavour } from "../executable/target.js";
import { writeAddon } from "./addon-folder.js";
import { fetchPackages } from "./debian-packages.js";
import { DebianRoot } from "./debian-root.js";
import { type Layer, makeLayer } from "./layer.js";
import { type PlatformImage, writeArchive } from "./oci-archive.js";
import { type Platform, platformOf } from "./platform.js";
import { type Identity, userId } from "./settings.js";

const { values } = parseArgs({
	options: {
		arch: { type: "string", multiple: true, default: [process.arch] },
		out: { type: "string", default: "dist" },
		addon: { type: "boolean", default: false },
		prebuilt: { type: "boolean", default: false },
	},
});
const work = "build/image";
const cache = join(
	process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"),
	"earshot-image",
);
const readable = { owner: 0, mode: "u=rwX,go=rX" };
const packages = [
	"ffmpeg",
	"libasound2",
	"libasound2-plugins",
	"libstdc++6",
	"busybox",
	"tini",
	"util-linux",
	"base-files",
];
/** Those that people use in a container, and those that the program calls. */
const applets =
	"sh cat ls ps kill id env df du top vi wget bzip2 basename find chown ln rm mkdir";
/** Loaded by the executable's libraries, not by itself. */
const libraries = [
	"libgcc_s.so.1",
	"libdl.so.2",
	"libpthread.so.0",
	"librt.so.1",
];

const identity = identityOf();
const images: PlatformImage[] = [];
for (const name of new Set(values.arch)) {
	const platform = platformOf(name);
	rmSync(join(work, platform.debian), { recursive: true, force: true });
	const layers = [
		await debianLayer(platform),
		await modelsLayer(platform),
		await programLayer(platform),
	];
	images.push({ platform, layers });
	if (values.addon) writeAddon(platform, layers, identity, values.out);
}
const [first, ...others] = images;
const suffix =
	first && others.length === 0 ? `-linux-${first.platform.debian}` : "";
const output = join(values.out, `earshot-${identity.version}${suffix}.oci.tar`);
const digest = writeArchive(images, identity, join(work, "layout"), output);
console.log(`${digest}  ${output}  ${megabytes(statSync(output).size)}`);

async function debianLayer(platform: Platform): Promise<Layer> {
	const { triplet } = platform;
	const folder = layerFolder(platform, "debian");
	const root = new DebianRoot(
		folder,
		fetchPackages(packages, platform, cache),
		platform,
	);
	for (const program of [
		"ffmpeg",
		"ffprobe",
		"tini",
		"chrt",
		"prlimit",
		"setpriv",
	])
		root.add(`usr/bin/${program}`);
	root.addBusybox(applets.split(" "));
	for (const library of [...libraries, "libstdc++.so.6", "libasound.so.2"])
		root.addLibrary(library);
	for (const kind of ["pcm", "ctl", "conf"])
		root.add(`usr/lib/${triplet}/alsa-lib/libasound_module_${kind}_pulse.so`);
	for (const data of ["usr/share/alsa", "etc/alsa/conf.d/50-pulseaudio.conf"])
		root.add(data);
	root.add("etc/os-release");
	root.add("etc/debian_version");
	root.write("etc/passwd", passwd());
	root.write("etc/group", group());
	root.write("etc/nsswitch.conf", "hosts: files dns\n");
	const used = root.addNotices();
	// where a container's own file systems are mounted
	for (const name of ["dev", "proc", "run", "sys"])
		mkdirSync(join(folder, name));
	const [data, temporary] = ["data", "tmp"].map((name) => {
		const own = layerFolder(platform, `debian-${name}`);
		mkdirSync(join(own, name));
		return own;
	}) as [string, string];
	return layerOf(platform, `files of ${used.length} Debian packages`, [
		{ folder, ...readable },
		{ folder: temporary, owner: 0, mode: "1777" },
		{ folder: data, owner: userId, mode: "0700" },
	]);
}

function modelsLayer(platform: Platform): Promise<Layer> {
	const folder = layerFolder(platform, "models");
	const tracked = execFileSync("git", ["ls-files", "models"], {
		encoding: "utf8",
	});
	for (const file of tracked.trim().split("\n"))
		copy(file, join(folder, "usr/share/earshot", file), 0o644);
	return layerOf(platform, "models", [{ folder, ...readable }]);
}

function programLayer(platform: Platform): Promise<Layer> {
	const folder = layerFolder(platform, "program");
	const executable = executableFor(platform);
	copy(executable, join(folder, "usr/lib/earshot/earshot"), 0o755);
	copy("scripts/image/files/earshot", join(folder, "usr/bin/earshot"), 0o755);
	copy("LICENSE", join(folder, "usr/share/doc/earshot/copyright"), 0o644);
	for (const page of readdirSync("docs").filter((it) => it.endsWith(".md")))
		copy(
			join("docs", page),
			join(folder, "usr/share/doc/earshot", page),
			0o644,
		);
	return layerOf(platform, `earshot ${identity.version}`, [
		{ folder, ...readable },
	]);
}

async function layerOf(
	platform: Platform,
	title: string,
	parts: Parameters<typeof makeLayer>[1],
): Promise<Layer> {
	const name = title.replace(/[^A-Za-z0-9.]+/g, "-");
	const file = join(work, platform.debian, `${name}.tar.gz`);
	const layer = await makeLayer(title, parts, file);
	console.error(
		`${platform.debian}: ${title}, ${megabytes(layer.bytes)} compressed`,
	);
	return layer;
}

function executableFor({ node: architecture }: Platform): string {
	const name = executableName(identity.version, {
		architecture,
		flavour: usualFlavour,
	});
	const executable = join(values.out, name);
	if (!values.prebuilt)
		execFileSync(
			process.execPath,
			[
				"build/scripts/executable/build-executable.js",
				...["--arch", architecture, "--out", values.out],
			],
			{ stdio: ["ignore", "ignore", "inherit"] },
		);
	return executable;
}

function passwd(): string {
	return [
		"root:x:0:0:root:/root:/bin/sh",
		`earshot:x:${userId}:${userId}:earshot:/data:/bin/sh`,
		"nobody:x:65534:65534:nobody:/nonexistent:/bin/false",
		"",
	].join("\n");
}

/** `audio` as in Debian: microphones of the host, where it has the same number. */
function group(): string {
	return [
		"root:x:0:",
		"audio:x:29:earshot",
		`earshot:x:${userId}:`,
		"nogroup:x:65534:",
		"",
	].join("\n");
}

function identityOf(): Identity {
	const git = (...words: string[]) =>
		execFileSync("git", words, { encoding: "utf8" }).trim();
	const seconds = Number(
		process.env.SOURCE_DATE_EPOCH ?? git("log", "-1", "--format=%ct"),
	);
	return {
		version: ownVersion(),
		revision: git("rev-parse", "HEAD"),
		created: new Date(seconds * 1000).toISOString().replace(".000", ""),
	};
}

/** Empty. */
function layerFolder({ debian }: Platform, name: string): string {
	const folder = join(work, debian, name);
	mkdirSync(folder, { recursive: true });
	return folder;
}

function copy(from: string, to: string, mode: number): void {
	mkdirSync(dirname(to), { recursive: true });
	copyFileSync(from, to);
	chmodSync(to, mode);
}

function megabytes(bytes: number): string {
	return `${(bytes / 1e6).toFixed(1)} MB`;
}
