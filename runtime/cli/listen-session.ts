/**
 * Opens the transcriber of `earshot listen`: the appliance at the given address, or, for a microphone without an appliance on this machine, a local recognizer.
 */

import {
	ConnectionLostError,
	EarshotClient,
	EarshotError,
	RefusedError,
} from "../client/earshot-client.js";
import type { StartOptions } from "../client/messages.js";
import type { Config, MicrophoneConfig } from "../config/schema.js";
import { recognitionOptions, wakeOptions } from "../microphones/from-config.js";
import { parseLanguage } from "../session/languages.js";
import {
	hotwordsMaxOfRequest,
	type RecognitionOptions,
} from "../session/options.js";
import type { Language } from "../text/languages.js";
import { EntryFilter } from "../words/entry-filter.js";
import { eitherRule } from "../words/hotword.js";
import type { WordList } from "../words/word-list.js";
import type { AudioFile } from "./audio-file.js";
import { openOwnTranscriber, type Transcriber } from "./own-transcriber.js";
import { serverAddress } from "./server-address.js";
import { UsageError } from "./verb.js";
import { readHotwordFile } from "./word-file.js";

export interface ListenRequest {
	readonly flags: {
		readonly url?: string;
		readonly token?: string;
		readonly rate: string;
	};
	readonly config: () => Config;
	readonly microphone: MicrophoneConfig | undefined;
	readonly language: Language;
	readonly hotwords: WordList | undefined;
	/** Empty: all speech is recognized. */
	readonly wakeWords: readonly string[];
	readonly file: AudioFile | undefined;
}

type WordOptions = Pick<
	StartOptions,
	"hotwords_list" | "hotwords_id" | "correction_words_id" | "forbidden_words_id"
>;

/** @throws EarshotError */
export async function openTranscriber(
	request: ListenRequest,
	signal: AbortSignal,
): Promise<Transcriber> {
	const { flags, microphone } = request;
	const url = flags.url ?? serverAddress(request.config().server);
	try {
		return await callAppliance(url, request, signal);
	} catch (error) {
		if (lacksToken(error))
			throw new EarshotError(
				error.status,
				`the appliance at ${url} wants a token: give one with --token or $EARSHOT_TOKEN; on the device, earshot token create --name NAME makes one`,
			);
		if (!microphone || flags.url !== undefined || !isConnectionRefused(error))
			throw error;
		const lists = hasStoredLists(microphone, request.language)
			? ", without the appliance's word lists"
			: "";
		process.stderr.write(
			`earshot: no appliance runs at ${url}: using a local recognizer${lists}\n`,
		);
		return openLocal(microphone, request, signal);
	}
}

async function callAppliance(
	url: string,
	request: ListenRequest,
	signal: AbortSignal,
): Promise<Transcriber> {
	const { microphone, language } = request;
	const words = microphone ? configuredWords(microphone, language) : {};
	try {
		return await startAt(url, request, words, signal);
	} catch (error) {
		const { hotwords_list, ...lists } = words;
		if (Object.keys(lists).length === 0 || !mayBeOfLists(error)) throw error;
		const client = await startAt(
			url,
			request,
			hotwords_list ? { hotwords_list } : {},
			signal,
		);
		process.stderr.write(
			`earshot: without the microphone's word lists: ${error.message}\n`,
		);
		return client;
	}
}

async function startAt(
	url: string,
	{ flags, microphone, language, hotwords, wakeWords, file }: ListenRequest,
	words: WordOptions,
	signal: AbortSignal,
): Promise<Transcriber> {
	const token = flags.token ?? (process.env.EARSHOT_TOKEN || undefined);
	const namespace = "SpeechTranscriber";
	const client = new EarshotClient({ url, namespace, signal, token });
	await client.start({
		lang_type: language,
		format: file?.format ?? "pcm",
		...words,
		...(hotwords && { hotwords_list: hotwords.entries }),
		...(wakeWords.length > 0 && {
			wake_words: wakeWords,
			...(microphone && { wake_seconds: microphone.wake_seconds }),
		}),
		...(!microphone &&
			flags.rate === "8000" && { field: "call-center" as const }),
		...(microphone && {
			hotwords_weight: microphone.hotwords_weight,
			gain: microphone.gain,
			max_sentence_silence: microphone.max_sentence_silence,
			enable_dynamic_break: microphone.dynamic_break,
			enable_punctuation_prediction: microphone.punctuation,
			enable_inverse_text_normalization: microphone.inverse_text_normalization,
			enable_modal_particle_filter: microphone.modal_particle_filter,
		}),
	});
	return client;
}

function openLocal(
	microphone: MicrophoneConfig,
	request: ListenRequest,
	signal: AbortSignal,
): Promise<Transcriber> {
	const config = request.config();
	return openOwnTranscriber(
		config,
		ownOptions(microphone, request, config),
		signal,
	);
}

/** Of a local recognizer, which has no stored word lists. */
export function ownOptions(
	microphone: MicrophoneConfig,
	{
		language,
		hotwords,
		wakeWords,
	}: Pick<ListenRequest, "language" | "hotwords" | "wakeWords">,
	{ model, hotwords: { categories } }: Pick<Config, "model" | "hotwords">,
): RecognitionOptions {
	const wake = wakeOptions(
		{ ...microphone, wake_words: [...wakeWords] },
		model.second_ear,
	);
	const { hotwords_list = [] } = configuredWords(microphone, language);
	const list = hotwords ?? wordsOf(hotwords_list, categories);
	return {
		...recognitionOptions(microphone, language),
		...(wake && { wake }),
		...(list.entries.length > 0 && {
			hotwords: { list, weight: microphone.hotwords_weight },
		}),
	};
}

/** The words and lists of a configured microphone: those of its language, not of another that is listened for. */
function configuredWords(
	microphone: MicrophoneConfig,
	language: Language,
): WordOptions {
	if (parseLanguage(microphone.language) !== language) return {};
	const { hotwords, hotwords_id } = microphone;
	const { correction_words_id, forbidden_words_id } = microphone;
	return {
		...(hotwords.length > 0 && { hotwords_list: hotwords }),
		...(hotwords_id && { hotwords_id }),
		...(correction_words_id && { correction_words_id }),
		...(forbidden_words_id && { forbidden_words_id }),
	};
}

function hasStoredLists(
	microphone: MicrophoneConfig,
	language: Language,
): boolean {
	const { hotwords_list: _, ...lists } = configuredWords(microphone, language);
	return Object.keys(lists).length > 0;
}

function wordsOf(
	words: readonly string[],
	categories: readonly string[],
): WordList {
	const filter = new EntryFilter(eitherRule(categories));
	for (const word of words) filter.add(word);
	return { key: "the configuration", entries: filter.kept };
}

/** @throws UsageError */
export function sessionHotwords(
	file: string | undefined,
	config: () => Config,
): WordList | undefined {
	if (file === undefined) return undefined;
	const { categories } = config().hotwords;
	const list = readHotwordFile(file, categories);
	if (list.entries.length <= hotwordsMaxOfRequest) return list;
	throw new UsageError(
		`${file} has ${list.entries.length} words, but a session takes at most ${hotwordsMaxOfRequest}: store them on the appliance (/v1/hotwords)`,
	);
}

/** Whether none was given, where one is needed. */
function lacksToken(error: unknown): error is RefusedError {
	return error instanceof RefusedError && error.status === "110001";
}

/** Whether the appliance may have refused the stored lists: another one has none of that name, and those named "all" may be too long for a request. */
function mayBeOfLists(error: unknown): error is EarshotError {
	return (
		error instanceof EarshotError &&
		["210404", "211404", "212404", "200002"].includes(error.status)
	);
}

/** Whether nothing listens at that address. */
function isConnectionRefused(error: unknown): boolean {
	const cause = error instanceof ConnectionLostError ? error.cause : undefined;
	return (cause as NodeJS.ErrnoException | undefined)?.code === "ECONNREFUSED";
}
