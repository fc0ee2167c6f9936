/** Checks of the model packages that an engine loads: do they exist, and do the checksums match? */
import { existsSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import type { Config } from "../../config/schema.js";
import { embeddedModel } from "../../engine/child/probe.js";
import {
	loadPackage,
	PackageError,
} from "../../models/package/model-package.js";
import { verifyPackage } from "../../models/package/verify.js";
import { type PackageInUse, packagesInUse } from "../packages-in-use.js";
import { useOfSecondEar } from "../second-ear-use.js";
import { broken, type Finding, ok, warning } from "./finding.js";

/** The appliance does without these where they are not installed. */
const optional: readonly PackageInUse["use"][] = [
	"model.segmentation",
	"model.speakers",
];

/** All packages in use but the second ear, which has a check of its own. */
export async function checkModels(model: Config["model"]): Promise<Finding[]> {
	const used = (await packagesInUse(model)).filter(
		({ name, use }) =>
			use !== "model.second_ear" &&
			(!optional.includes(use) || existsSync(join(model.dir, name))),
	);
	return Promise.all(
		used.map(({ name, use }) =>
			use === "model.by_language"
				? checkPackage(
						model.dir,
						name,
						`earshot models add ${name} --replace, or remove it from model.by_language`,
					)
				: checkPackage(model.dir, name),
		),
	);
}

/** From this much on, another model than the embedded one may pay. */
const memoryWorthwhile = 1.5e9;

/** A device with room for more than the embedded model is told so, once. */
export function checkChoice(name: string, memory = totalmem()): Finding[] {
	if (name !== embeddedModel || memory < memoryWorthwhile) return [];
	const says = `${name}, which fits everywhere; this device has room for more`;
	return [{ ...ok("choice of model", says), todo: "earshot models recommend" }];
}

/** The package that is proposed, from earshot's own catalogue. */
const proposedSecondEar = "zipformer-zh-ear";
const chinese = /^zh-/;

/** Where `model.second_ear` is empty, one is proposed if Chinese is served. */
export async function checkSecondEar(
	model: Config["model"],
): Promise<Finding[]> {
	const about = "second ear";
	const { dir: directory, name, second_ear: secondEar } = model;
	if (secondEar === "") return proposals(directory, name, about);
	const finding = await checkPackage(
		directory,
		secondEar,
		`earshot models add ${proposedSecondEar}, or remove model.second_ear`,
	);
	if (finding.state !== "ok") return [finding];
	const { manifest } = await loadPackage(join(directory, secondEar));
	if (manifest.kind === "second-ear")
		return [finding, ...(await withoutTexts(model, about))];
	return [
		broken(
			about,
			`model.second_ear is ${secondEar}, which is a ${manifest.kind} package`,
			`set it to a second ear: earshot models add ${proposedSecondEar}`,
		),
	];
}

/** Said where a second ear does less than its name promises. */
async function withoutTexts(
	model: Config["model"],
	about: string,
): Promise<Finding[]> {
	const { name, second_ear: secondEar } = model;
	const use = await useOfSecondEar(model, secondEar);
	if (use === "texts" || use === "unknown") return [];
	if (use === "wake words")
		return [ok(about, `for wake words only: ${name} is not Whisper`)];
	return [
		warning(
			about,
			`${secondEar} is not opened: ${name} does not serve its language`,
			"remove model.second_ear, or choose a model that serves Chinese",
		),
	];
}

/** Only Whisper uses a second ear. */
async function proposals(
	directory: string,
	name: string,
	about: string,
): Promise<Finding[]> {
	const opened = await loadPackage(join(directory, name)).catch(
		() => undefined,
	);
	if (opened?.manifest.kind !== "whisper") return [];
	if (!opened.manifest.languages.some((it) => chinese.test(it))) return [];
	const add = existsSync(join(directory, proposedSecondEar))
		? ""
		: `earshot models add ${proposedSecondEar}, then `;
	return [
		{
			...ok(about, "none; Chinese would have fewer wrong characters with one"),
			todo: `${add}earshot models use ${proposedSecondEar}`,
		},
	];
}

async function checkPackage(
	directory: string,
	name: string,
	todo = "restore it (git checkout models) or choose another one (EARSHOT_MODEL_NAME)",
): Promise<Finding> {
	const about = `model ${name}`;
	try {
		const opened = await loadPackage(join(directory, name));
		await verifyPackage(opened);
		const files = Object.keys(opened.manifest.files).length;
		return ok(about, `${files} files, checksums match`);
	} catch (error) {
		if (!(error instanceof PackageError)) throw error;
		return broken(about, error.message, todo);
	}
}
