/** Opens the models for single languages beside the main one, each proved by a clip before it is used. */
import { readFile } from "node:fs/promises";
import { concat } from "../../audio/concat.js";
import { AudioIntake } from "../../audio/intake.js";
import type { InferencePort } from "../../models/inference-port.js";
import {
	loadPackage,
	type ModelPackage,
	PackageError,
} from "../../models/package/model-package.js";
import type { SpeechRecognizer } from "../../models/recognizer.js";
import { type Language, languages } from "../../text/languages.js";
import type { EngineSettings } from "../protocol.js";
import { LanguageModels } from "./language-models.js";
import type {
	LanguageModelReports,
	LanguageModelSource,
} from "./model-slots.js";
import { type Probe, probeOf } from "./probe.js";
import { openSpeech, type RefinementReports } from "./speech.js";

type Settings = Pick<
	EngineSettings,
	"languageFolders" | "secondEarFolder" | "threads" | "processor" | "verify"
>;
export type SpeechReports = RefinementReports & LanguageModelReports;

/** Weights are unpacked, and a run needs memory of its own. */
const memoryOfWeights = 1.3;
/** For the system and for requests. */
const reserveBytes = 100e6;

/** @returns `main` itself where no other model is configured. */
export async function withLanguageModels(
	main: SpeechRecognizer,
	port: InferencePort,
	settings: Settings,
	reports: SpeechReports = {},
): Promise<SpeechRecognizer> {
	const { languageFolders = {} } = settings;
	const folders = new Map<string, Language[]>();
	for (const language of languages) {
		const folder = languageFolders[language];
		if (folder !== undefined)
			folders.set(folder, [...(folders.get(folder) ?? []), language]);
	}
	if (folders.size === 0) return main;
	const sources = [...folders].map(([folder, served]) =>
		sourceOf(folder, served, port, settings, reports),
	);
	return LanguageModels.open(
		main,
		await Promise.all(sources),
		(bytes) => process.availableMemory() > bytes + reserveBytes,
		reports,
	);
}

/** A package that is not there fails when it is opened, as one that is damaged. */
async function sourceOf(
	folder: string,
	served: readonly Language[],
	port: InferencePort,
	settings: Settings,
	reports: SpeechReports,
): Promise<LanguageModelSource> {
	const opened = await loadPackage(folder).catch(() => undefined);
	const sizes = Object.values(opened?.manifest.files ?? {});
	const { secondEarFolder, ...others } = settings;
	return {
		name: opened?.manifest.name ?? folder,
		languages: served,
		bytes: memoryOfWeights * sizes.reduce((sum, it) => sum + it.bytes, 0),
		open: async () => {
			// only Whisper uses a second ear
			const usedSecondEarFolder =
				opened?.manifest.kind === "whisper" && secondEarFolder;
			const speech = await openSpeech(
				port,
				{
					...others,
					modelFolder: folder,
					...(usedSecondEarFolder && { secondEarFolder: usedSecondEarFolder }),
				},
				reports,
			);
			try {
				await prove(speech.recognizer, speech.opened, served);
			} catch (error) {
				await speech.close();
				throw error;
			}
			return speech;
		},
	};
}

/** @throws PackageError if it does not serve its languages, or recognizes nothing of its clip. */
async function prove(
	recognizer: SpeechRecognizer,
	opened: ModelPackage,
	served: readonly Language[],
): Promise<void> {
	const other = served.find((it) => !recognizer.languages.includes(it));
	if (other !== undefined)
		throw new PackageError(
			`${recognizer.name} does not support ${other}, for which model.by_language names it`,
		);
	const probe = await probeOf(opened);
	if (!probe) return;
	const result = await recognizer.recognize({
		samples: await samplesOf(probe),
		language: probe.language as Language,
		beam: 1,
		punctuation: false,
		words: false,
	});
	const text = result === "cancelled" ? "" : result.text.toLowerCase();
	const missing = probe.words.filter((it) => !text.includes(it.toLowerCase()));
	if (missing.length > 0)
		throw new PackageError(
			`${recognizer.name} does not recognize its probe clip: ${missing.join(", ")} missing; run earshot models verify`,
		);
}

async function samplesOf({ path }: Probe): Promise<Float32Array> {
	const intake = new AudioIntake({
		format: "wav",
		sampleRateHz: 16000,
		gain: 1,
		durationSecondsMax: 30,
	});
	const bytes = await readFile(path);
	return concat(await intake.accept(bytes), await intake.finish());
}
