/**
 * A root folder with those files of Debian packages that are used, and no others: programs and data that are named, the libraries that they need, and for each
 * package of which something is there its licences and its entry in dpkg's status, which scanners for known faults read.
 *
 * Maintainer scripts are not run. What they would have made of use here are links to libraries outside of the usual folder (alternatives): `addLibrary` makes them.
 */
import {
	chmodSync,
	copyFileSync,
	existsSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { DebianPackage } from "./debian-packages.js";
import { isElf, loaderOf, neededLibraries } from "./needed-libraries.js";
import type { Platform } from "./platform.js";

/** Folders that are links into /usr on today's Debian; some packages still have files in them. */
const merged = /^(bin|lib|lib64|sbin)\//;
const docs = "usr/share/doc";

interface Packaged {
	readonly of: DebianPackage;
	/** On this machine; may be a link. */
	readonly file: string;
}

export class DebianRoot {
	readonly #root: string;
	readonly #libraries: string;
	/** By path in the image, without the slash. */
	readonly #files = new Map<string, Packaged>();
	/** Paths by the last part, the shortest. */
	readonly #byName = new Map<string, string>();
	readonly #packages = new Set<DebianPackage>();

	/** @param root empty, or not there yet. */
	constructor(
		root: string,
		packages: readonly DebianPackage[],
		{ triplet }: Platform,
	) {
		this.#root = root;
		this.#libraries = `usr/lib/${triplet}`;
		for (const it of packages) this.#index(it);
		for (const folder of ["bin", "lib", "lib64", "sbin"]) {
			mkdirSync(join(root, "usr", folder), { recursive: true });
			symlinkSync(`usr/${folder}`, join(root, folder));
		}
	}

	/** Adds a file or all of a folder, and what it needs. @param path in the image, without the slash. @throws Error where no package has it. */
	add(path: string): void {
		const inside = this.#files.has(path)
			? [path]
			: [...this.#files.keys()].filter((it) => it.startsWith(`${path}/`));
		if (inside.length === 0) throw new Error(`no package has ${path}`);
		for (const it of inside) this.#addFile(it);
	}

	/** @param name that programs are linked against: `libm.so.6`. */
	addLibrary(name: string): void {
		const usual = `${this.#libraries}/${name}`;
		if (this.#files.has(usual)) {
			this.#addFile(usual);
			return;
		}
		const path = this.#byName.get(name);
		if (path === undefined) throw new Error(`no package has ${name}`);
		this.#addFile(path);
		this.#link(relative(this.#libraries, path), usual);
	}

	/** @param applets programs that it stands for. */
	addBusybox(applets: readonly string[]): void {
		this.add("usr/bin/busybox");
		for (const applet of applets) this.#link("busybox", `usr/bin/${applet}`);
	}

	/** Licences, and what dpkg would know. @returns names of the packages that something was added of. */
	addNotices(): string[] {
		this.add("usr/share/common-licenses");
		for (const { name, control } of this.#packages) {
			this.write(`var/lib/dpkg/status.d/${name}`, control);
			const doc = `${docs}/${name}`;
			// some packages have the folder of another one
			this.#addFile(this.#files.has(doc) ? doc : `${doc}/copyright`);
		}
		return [...this.#packages].map(({ name }) => name).sort();
	}

	write(path: string, content: string, mode = 0o644): void {
		const target = this.#place(path);
		writeFileSync(target, content);
		chmodSync(target, mode);
	}

	#index(of: DebianPackage): void {
		for (const name of readdirSync(of.root, {
			recursive: true,
			encoding: "utf8",
		}).sort()) {
			const file = join(of.root, name);
			if (lstatSync(file).isDirectory()) continue;
			const path = withUsr(name);
			this.#files.set(path, { of, file });
			const known = this.#byName.get(basename(path));
			if (known === undefined || path.length < known.length)
				this.#byName.set(basename(path), path);
		}
	}

	#addFile(path: string): void {
		const packaged = this.#files.get(path);
		if (!packaged) throw new Error(`no package has ${path}`);
		if (lstatSync(join(this.#root, path), { throwIfNoEntry: false })) return;
		this.#packages.add(packaged.of);
		const { file } = packaged;
		if (!lstatSync(file).isSymbolicLink()) {
			this.#copy(file, path);
			this.#addNeeded(file);
			return;
		}
		const target = readlinkSync(file);
		this.#link(target, path);
		const led = join(target.startsWith("/") ? "." : dirname(path), target);
		const inside = withUsr(led);
		this.#addFile(path.startsWith(docs) ? `${inside}/copyright` : inside);
	}

	#addNeeded(file: string): void {
		const content = readFileSync(file);
		if (!isElf(content)) return;
		const loader = loaderOf(content)?.slice(1);
		if (loader !== undefined) this.#addFile(withUsr(loader));
		for (const name of neededLibraries(content)) this.addLibrary(name);
	}

	#copy(file: string, path: string): void {
		const target = this.#place(path);
		copyFileSync(file, target);
		chmodSync(target, (lstatSync(file).mode & 0o100) !== 0 ? 0o755 : 0o644);
	}

	#link(target: string, path: string): void {
		const place = this.#place(path);
		if (!lstatSync(place, { throwIfNoEntry: false }))
			symlinkSync(target, place);
	}

	/** @returns a path on this machine whose folder exists. */
	#place(path: string): string {
		const place = join(this.#root, path);
		if (!existsSync(dirname(place)))
			mkdirSync(dirname(place), { recursive: true });
		return place;
	}
}

function withUsr(path: string): string {
	return merged.test(path) ? `usr/${path}` : path;
}
