/**
 * Builds `dist/earshot-<version>-linux-<arch>`. The same commit gives the same bytes on every machine: Node and all libraries are pinned by checksum, and
 * nothing of the machine or the time goes in.
 * Usage: scripts/build [--arch x64|arm64] [--flavour glibc2.34|glibc2.38] [--out DIR] [--update-key FILE] [--sign KEY [--notes FILE]]
 */
import { createHash } from "node:crypto";
import {
	existsSync,
	mkdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import type { Part } from "../../runtime/executable/part-folder.js";
import { type PartList, partListName } from "../../runtime/executable/parts.js";
import { builtInKey, readPublicKey } from "../../runtime/update/minisign.js";
import { billOfMaterials } from "./bill-of-materials.js";
import { bundle, ownVersion } from "./bundle.js";
import { neededGlibc } from "./glibc.js";
import { makeExecutable } from "./inject.js";
import { inventory, licenceText } from "./inventory.js";
import { packagedFile } from "./packages.js";
import { signExecutable } from "./sign.js";
import {
	type Architecture,
	architectures,
	dataFiles,
	executableName,
	flavours,
	libraryFiles,
	type PackagedFile,
	type Target,
	usualFlavour,
} from "./target.js";
import { takeTurn } from "./turn.js";

const { values } = parseArgs({
	options: {
		arch: { type: "string", default: process.arch },
		out: { type: "string", default: "dist" },
		flavour: { type: "string", default: usualFlavour },
		/** A public key of minisign: who may sign updates of it. */
		"update-key": { type: "string" },
		/** A secret key of minisign. */
		sign: { type: "string" },
		/** A text file, signed with it: what this version changes. */
		notes: { type: "string" },
	},
});
if (!(architectures as readonly string[]).includes(values.arch))
	throw new Error(`--arch must be one of ${architectures.join(", ")}`);
const node = flavours[values.flavour];
if (!node)
	throw new Error(
		`--flavour must be one of ${Object.keys(flavours).join(", ")}`,
	);
const target: Target = {
	architecture: values.arch as Architecture,
	flavour: values.flavour,
	node,
};
const work = "build/executable";
await takeTurn();
rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
mkdirSync(values.out, { recursive: true });

const { main, program, packages } = await bundle(target.node.version);
const programFile = join(work, "program.cjs");
writeFileSync(programFile, program);
const output = join(values.out, executableName(ownVersion(), target));
makeExecutable(target, { code: main, assets: gatherAssets() }, work, output);
linkModels(values.out);
if (values.sign)
	signExecutable(output, values.sign, {
		version: ownVersion(),
		architecture: target.architecture,
		notes: values.notes,
	});
const bytes = readFileSync(output);
const sum = createHash("sha256").update(bytes).digest("hex");
console.log(`${sum}  ${output}  ${(bytes.length / 1e6).toFixed(1)} MB`);

function gatherAssets(): Record<string, string> {
	const libraries = libraryFiles(target);
	const list: PartList = {
		flavour: target.flavour,
		glibc: neededGlibc(libraries.map(packagedFile)),
		libraries: libraries.map(asPart),
		data: dataFiles.map(asPart),
		program: partOf("program", programFile),
	};
	const { packages: ofConsole } = JSON.parse(
		readFileSync("build/console.json", "utf8"),
	) as { readonly packages: readonly string[] };
	const components = inventory(target, [...packages, ...ofConsole]);
	const made = {
		[partListName]: JSON.stringify(list),
		"licenses.txt": licenceText(components),
		"bom.json": billOfMaterials(components, list.libraries),
	};
	const updateKey = values["update-key"];
	if (updateKey) readPublicKey(readFileSync(updateKey, "utf8"));
	for (const [name, text] of Object.entries(made))
		writeFileSync(join(work, name), text);
	return {
		"package.json": "package.json",
		"build/console.json": "build/console.json",
		"models/catalogue.json": "models/catalogue.json",
		"models/catalogue.json.sig": "models/catalogue.json.sig",
		program: programFile,
		...(updateKey && { [builtInKey]: updateKey }),
		...Object.fromEntries(
			Object.keys(made).map((name) => [name, join(work, name)]),
		),
		...Object.fromEntries(
			[...libraries, ...dataFiles].map((it) => [it.name, packagedFile(it)]),
		),
	};
}

function asPart(file: PackagedFile): Part {
	return partOf(file.name, packagedFile(file));
}

function partOf(name: string, path: string): Part {
	const content = readFileSync(path);
	return {
		name,
		bytes: content.length,
		sha256: createHash("sha256").update(content).digest("hex"),
	};
}

/** An executable in a checkout uses the models of the checkout. */
function linkModels(folder: string): void {
	const link = join(folder, "models");
	if (!existsSync(link)) symlinkSync(relative(folder, "models"), link);
}
