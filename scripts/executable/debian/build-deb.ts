/**
 * Makes a Debian package of an executable that is already built: the program, its models, units, user, default configuration, manual page and completions.
 * Usage: node build/scripts/executable/debian/build-deb.js [--arch x64|arm64] [--flavour glibc2.34|glibc2.38] [--out DIR] [--without-models]
 */
import { execFileSync } from "node:child_process";
import {
	chmodSync,
	copyFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { program } from "../../../runtime/cli/verbs.js";
import { ownVersion } from "../bundle.js";
import { type Architecture, executableName, usualFlavour } from "../target.js";
import { takeTurn } from "../turn.js";
import { bashCompletion, manualPage } from "./command-line.js";
import { maintainerScripts } from "./scripts.js";

const { values } = parseArgs({
	options: {
		arch: { type: "string", default: process.arch },
		out: { type: "string", default: "dist" },
		flavour: { type: "string", default: usualFlavour },
		/** Of the executable only. */
		"update-key": { type: "string" },
		sign: { type: "string" },
		notes: { type: "string" },
		/** For devices that bring models of their own. */
		"without-models": { type: "boolean", default: false },
	},
});
const architecture = values.arch === "x64" ? "amd64" : values.arch;
const version = ownVersion();
const executable = join(
	values.out,
	executableName(version, {
		architecture: values.arch as Architecture,
		flavour: values.flavour,
	}),
);
/** Of two packages of one version, each for its own release of Debian, the newer system's is the greater. */
const packageVersion =
	values.flavour === usualFlavour ? version : `${version}+${values.flavour}`;
const glibc = values.flavour.replace("glibc", "");
const root = "build/debian";
const models = "usr/share/earshot/models";
const configuration = "etc/earshot/earshot.toml";

if (!existsSync(executable))
	throw new Error(`${executable} is missing: build it first (scripts/build)`);
await takeTurn(); // also since another build may be writing the executable
rmSync(root, { recursive: true, force: true });
copy(executable, "usr/bin/earshot", 0o755);
for (const unit of ["earshot.service", "earshot-microphone.target"])
	copy(join("systemd", unit), join("usr/lib/systemd/system", unit));
copy("systemd/sysusers.conf", "usr/lib/sysusers.d/earshot.conf");
copy("systemd/tmpfiles.conf", "usr/lib/tmpfiles.d/earshot.conf");
copy("config/earshot.toml", configuration);
for (const page of readdirSync("docs").filter((it) => it.endsWith(".md")))
	copy(join("docs", page), join("usr/share/doc/earshot", page));
copy("LICENSE", "usr/share/doc/earshot/copyright");
if (!values["without-models"]) copyModels();
await writeCommandLine();
writeControl();
fixModes(root);
const output = join(
	values.out,
	`earshot_${packageVersion}_${architecture}.deb`,
);
// neither names of users nor the time go in
execFileSync(
	"dpkg-deb",
	["--root-owner-group", "-Zzstd", "-z9", "--build", root, output],
	{
		stdio: ["ignore", "ignore", "inherit"],
		env: { ...process.env, SOURCE_DATE_EPOCH: commitSeconds() },
	},
);
rmSync(root, { recursive: true, force: true });
console.log(`${output}  ${(statSync(output).size / 1e6).toFixed(1)} MB`);

function copyModels(): void {
	mkdirSync(join(root, models), { recursive: true });
	const tracked = execFileSync("git", ["ls-files", "models"], {
		encoding: "utf8",
	});
	for (const file of tracked.trim().split("\n"))
		copy(file, join("usr/share/earshot", file));
}

async function writeCommandLine(): Promise<void> {
	const commands = await program("all");
	const page = gzipSync(manualPage(commands, version), { level: 9 });
	write("usr/share/man/man1/earshot.1.gz", page);
	write(
		"usr/share/bash-completion/completions/earshot",
		bashCompletion(commands),
	);
}

function writeControl(): void {
	const bytes = readdirSync(root, { recursive: true, encoding: "utf8" })
		.map((path) => statSync(join(root, path)))
		.reduce((sum, it) => sum + (it.isFile() ? it.size : 0), 0);
	write(
		"DEBIAN/control",
		`Package: earshot
Version: ${packageVersion}
Architecture: ${architecture}
Maintainer: earshot
Installed-Size: ${Math.ceil(bytes / 1024)}
Section: sound
Priority: optional
Depends: libc6 (>= ${glibc}), libstdc++6, adduser | systemd
Recommends: ffmpeg, bzip2, libasound2 | libasound2t64, util-linux
Description: speech recognition that lives on the device
 Turns speech into text where it is spoken: Chinese, English and Japanese, over
 HTTP and WebSocket, from files and from microphones of the device.
`,
	);
	write("DEBIAN/conffiles", `/${configuration}\n`);
	for (const [name, script] of Object.entries(maintainerScripts)) {
		write(join("DEBIAN", name), script);
		chmodSync(join(root, "DEBIAN", name), 0o755);
	}
}

/** What a checkout's umask made of them must not matter. */
function fixModes(path: string): void {
	for (const name of readdirSync(path)) {
		const inner = join(path, name);
		const found = statSync(inner);
		const isProgram = (found.mode & 0o100) !== 0;
		chmodSync(inner, found.isDirectory() || isProgram ? 0o755 : 0o644);
		if (found.isDirectory()) fixModes(inner);
	}
}

function copy(from: string, to: string, mode = 0o644): void {
	const path = join(root, to);
	mkdirSync(dirname(path), { recursive: true });
	copyFileSync(from, path);
	chmodSync(path, mode);
}

function write(to: string, content: string | Uint8Array): void {
	const path = join(root, to);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, content);
}

/** When the commit was made. */
function commitSeconds(): string {
	return execFileSync("git", ["log", "-1", "--format=%ct"], {
		encoding: "utf8",
	}).trim();
}
