/**
 * Opens what turns speech into text: the recognizer, and the second ear beside it if one is configured. Every process that recognizes speech opens both here.
 */
import { readFile } from "node:fs/promises";
import { sampleRateHz } from "../../audio/sample-rate.js";
import type { InferencePort } from "../../models/inference-port.js";
import type { ModelKindName } from "../../models/kinds.js";
import { ModelFault } from "../../models/model-fault.js";
import {
	loadPackage,
	type ModelPackage,
	PackageError,
} from "../../models/package/model-package.js";
import { verifyPackage } from "../../models/package/verify.js";
import type { SpeechRecognizer } from "../../models/recognizer.js";
import type {
	Refinement,
	RefinerOptions,
	TextRefiner,
} from "../../models/refinement.js";
import { JointRefiner } from "../../models/second-ear/joint-refiner.js";
import { lexiconFile } from "../../models/second-ear/kind.js";
import { weightsOf } from "../../models/second-ear/shape.js";
import { openSecondEar } from "../../models/second-ear/syllable-recognizer.js";
import type { SecondEar } from "../../models/syllable-recognizer.js";
import { transducerPaths } from "../../models/transducer-graphs.js";
import { type Language, languages, pairOf } from "../../text/languages.js";
import { openLexicon } from "../../text/zh/lexicon.js";
import { LexiconFault } from "../../text/zh/lexicon-check.js";
import type { Lexicon } from "../../text/zh/word-source.js";
import type { EngineSettings } from "../protocol.js";
import { isSpeechPackage, openRecognizer } from "./recognizers.js";

export interface Speech {
	readonly opened: ModelPackage;
	readonly recognizer: SpeechRecognizer;
	/** Undefined if none is configured, or if the recognizer does not serve its language. */
	readonly secondEar: SecondEar | undefined;
	close(): Promise<void>;
}

interface RefiningSecondEar {
	readonly secondEar: SecondEar;
	readonly refiner: TextRefiner;
}

type SpeechSettings = Pick<
	EngineSettings,
	"modelFolder" | "secondEarFolder" | "threads" | "processor" | "verify"
>;

/** Pinyin spells Chinese only. */
const spelled: readonly Language[] = ["zh-cmn-Hans-CN"];

/** What becomes of segments that the second ear refines. */
export interface RefinementReports {
	/** @param seconds of the segment's audio. */
	readonly onRefined?: (refinement: Refinement, seconds: number) => void;
	/** The recognizer's own text stood. */
	readonly onRefinementFailed?: (error: unknown) => void;
}

/** @throws PackageError when a package is damaged or of the wrong kind. */
export async function openSpeech(
	port: InferencePort,
	settings: SpeechSettings,
	reports: RefinementReports = {},
): Promise<Speech> {
	const opened = await openSpeechPackage(settings);
	const refining = await openConfiguredSecondEar(opened, port, settings);
	const secondEar = refining?.secondEar;
	const recognizer = await openRecognizer(
		port,
		opened,
		settings,
		refining && refinerOptions(refining.refiner, reports),
	);
	return {
		opened,
		recognizer,
		secondEar,
		close: async () => {
			await recognizer.close();
			await secondEar?.close();
		},
	};
}

function refinerOptions(
	refiner: TextRefiner,
	{ onRefined, onRefinementFailed: onFailure }: RefinementReports,
): RefinerOptions {
	return {
		refiner: onRefined ? reporting(refiner, onRefined) : refiner,
		...(onFailure && { onFailure }),
	};
}

function reporting(
	refiner: TextRefiner,
	onRefined: NonNullable<RefinementReports["onRefined"]>,
): TextRefiner {
	return {
		languages: refiner.languages,
		preparing: (hotwords) => refiner.preparing?.(hotwords) ?? [],
		follow: (request) => refiner.follow(request),
		refine: async (request, ...others) => {
			const refinement = await refiner.refine(request, ...others);
			if (refinement)
				onRefined(refinement, request.samples.length / sampleRateHz);
			return refinement;
		},
	};
}

/** @throws PackageError */
export async function openPackage(
	folder: string,
	kind: ModelKindName,
	settings: Pick<EngineSettings, "verify">,
): Promise<ModelPackage> {
	const opened = await loadPackage(folder);
	if (opened.manifest.kind !== kind)
		throw new PackageError(
			`${folder} is a ${opened.manifest.kind} package, not ${kind}`,
		);
	if (settings.verify) await verifyPackage(opened);
	return opened;
}

async function openSpeechPackage(
	settings: Pick<EngineSettings, "modelFolder" | "verify">,
): Promise<ModelPackage> {
	const opened = await loadPackage(settings.modelFolder);
	if (!isSpeechPackage(opened))
		throw new PackageError(
			`${opened.folder} is a ${opened.manifest.kind} package: it is not a speech recognition model`,
		);
	if (settings.verify) await verifyPackage(opened);
	return opened;
}

async function openConfiguredSecondEar(
	{ manifest: { languages: served } }: ModelPackage,
	port: InferencePort,
	settings: SpeechSettings,
): Promise<RefiningSecondEar | undefined> {
	const { secondEarFolder: folder } = settings;
	if (folder === undefined) return undefined;
	const opened = await openPackage(folder, "second-ear", settings);
	const secondEarLanguages = languages.filter((it) =>
		opened.manifest.languages.includes(it),
	);
	const other = opened.manifest.languages.find(
		(it) => !spelled.some((language) => language === it),
	);
	if (other !== undefined || secondEarLanguages.length === 0)
		throw new PackageError(
			`${folder} is a second ear for ${other ?? "no language"}: pinyin only spells ${spelled.join(", ")}`,
		);
	const serves = (language: Language) =>
		served.includes(language) ||
		languages.some(
			(it) => served.includes(it) && pairOf(it)?.includes(language),
		);
	if (!secondEarLanguages.some(serves)) return undefined;
	return openRefiningSecondEar(opened, secondEarLanguages, port);
}

async function openRefiningSecondEar(
	{ folder, manifest, path }: ModelPackage,
	secondEarLanguages: readonly Language[],
	port: InferencePort,
): Promise<RefiningSecondEar> {
	const { name, secondEar: shape } = manifest;
	if (!shape) throw new PackageError(`${folder} has no shape`);
	const weights = weightsOf(shape);
	const lexicon = await openLexiconOf(path(lexiconFile));
	const source = {
		name,
		languages: secondEarLanguages,
		weights,
		shape: shape.zipformer,
		...transducerPaths(path),
		tokens: await readFile(path("tokens.txt"), "utf8"),
	};
	try {
		// too little work to share between threads
		const secondEar = await openSecondEar(port, source, { threads: 1 });
		return {
			secondEar,
			refiner: new JointRefiner(secondEar, lexicon, weights),
		};
	} catch (error) {
		if (!(error instanceof ModelFault)) throw error;
		throw new PackageError(`${folder}: ${error.message}`, { cause: error });
	}
}

/** @throws PackageError */
async function openLexiconOf(path: string): Promise<Lexicon> {
	try {
		return openLexicon(await readFile(path));
	} catch (error) {
		if (!(error instanceof LexiconFault)) throw error;
		throw new PackageError(`${path} ${error.message}; add the package again`, {
			cause: error,
		});
	}
}
