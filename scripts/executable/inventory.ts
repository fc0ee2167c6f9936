/**
 * What is in an executable, piece by piece, with its licence: for `earshot licenses` (whoever hands a binary on must hand the notices on, too) and for the
 * bill of materials.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import {
	lockedPackage,
	nodeFolder,
	packageFolder,
	packageOwner,
} from "./packages.js";
import { dataFiles, libraryFiles, ownPackage, type Target } from "./target.js";

export interface Component {
	readonly name: string;
	readonly version: string;
	/** SPDX, as the package states it. */
	readonly licence: string;
	readonly text: string;
	/** Package URL; models have none. */
	readonly purl?: string;
	/** As registries state checksums: `sha512-` and base64. */
	readonly integrity?: string;
}

interface PackageJson {
	readonly version: string;
	readonly license?: string;
	readonly author?: string | { readonly name: string };
}

const licenceFile = /^(licen[cs]es?|copying|notice|third.?party.*)([.-].*)?$/i;

/** @param bundled names of the packages whose code is in it. @returns sorted by name; Node and the program itself first. */
export function inventory(
	target: Target,
	bundled: readonly string[],
): readonly Component[] {
	const native = [...libraryFiles(target), ...dataFiles]
		.map(({ packageName }) => packageName)
		.filter((name) => name !== ownPackage);
	const names = [...new Set([...bundled, ...native])].sort();
	return [ownComponent(), nodeComponent(target), ...names.map(npmComponent)];
}

/** For people, one after the other. */
export function licenceText(components: readonly Component[]): string {
	const list = components.map(
		({ name, version, licence }) => `${name} ${version}: ${licence}\n`,
	);
	const line = "=".repeat(78);
	const texts = components.map(
		({ name, version, text }) =>
			`\n${line}\n${name} ${version}\n${line}\n\n${text.trim()}\n`,
	);
	return `${list.join("")}${texts.join("")}`;
}

function ownComponent(): Component {
	const { version, license = "" } = packageJson(".");
	const text = ["LICENSE", "NOTICE"].map((it) => readFileSync(it, "utf8"));
	return {
		name: "earshot",
		version,
		licence: license,
		text: text.join("\n"),
		purl: `pkg:generic/earshot@${version}`,
	};
}

/** Its LICENSE holds those of all that is in it: V8, libuv, OpenSSL, ICU and others. */
function nodeComponent(target: Target): Component {
	const { version } = target.node;
	return {
		name: "Node.js",
		version,
		licence: "MIT",
		text: readFileSync(join(nodeFolder(target), "LICENSE"), "utf8"),
		purl: `pkg:generic/node@${version}`,
		integrity: target.node.integrity[target.architecture],
	};
}

function npmComponent(name: string): Component {
	const folder = packageFolder(name);
	const { version, license = "NOASSERTION" } = packageJson(folder);
	const { integrity } = lockedPackage(name);
	return {
		name,
		version,
		licence: license,
		text: textOf(folder) ?? textElsewhere(name, folder),
		purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
		integrity,
	};
}

/** A package with libraries for one processor has none of its own; a few state MIT and leave it at that. */
function textElsewhere(name: string, folder: string): string {
	const owner = packageOwner(name);
	if (owner !== name && existsSync(join("node_modules", owner))) {
		const text = textOf(packageFolder(owner));
		if (text !== undefined) return text;
	}
	const { license, author } = packageJson(folder);
	if (license !== "MIT") throw new Error(`${name} has no text of its licence`);
	const holder =
		holders[name] ?? (typeof author === "object" ? author.name : author);
	if (!holder) throw new Error(`${name} does not say whose it is`);
	return mit(holder);
}

const holders: Readonly<Record<string, string>> = {
	"onnxruntime-node": "Microsoft Corporation",
	"onnxruntime-common": "Microsoft Corporation",
};

function textOf(folder: string): string | undefined {
	const files = readdirSync(folder)
		.filter((name) => licenceFile.test(name))
		.sort()
		.map((name) => join(folder, name))
		.flatMap((path) =>
			statSync(path).isDirectory()
				? readdirSync(path)
						.sort()
						.map((name) => join(path, name))
				: [path],
		);
	if (files.length === 0) return undefined;
	return files.map((path) => readFileSync(path, "utf8").trim()).join("\n\n");
}

function packageJson(folder: string): PackageJson {
	return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

function mit(holder: string): string {
	return `MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS
FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY,
WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
}
