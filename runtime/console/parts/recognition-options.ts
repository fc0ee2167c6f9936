/** What a recognition is asked for, kept from one visit to the next. Names are the interface's. */
import { signal } from "@preact/signals";
import { remembered } from "../app/remembered.js";
import { may, session } from "../app/session.js";
import { hotwordsOf } from "./hotwords-of.js";
import { languageName } from "./options-texts.js";

/** As much audio as one request may have. */
export const requestSecondsMax = 600;

export interface ChosenOptions {
	readonly language: string;
	readonly callCenter: boolean;
	/** Separated by commas or lines. */
	readonly hotwords: string;
	readonly hotwordsId: string;
	readonly correctionsId: string;
	readonly forbiddenId: string;
	readonly silenceMs: number;
	readonly punctuation: boolean;
	readonly numbers: boolean;
	readonly fillers: boolean;
	readonly speakers: boolean;
}

const usual: ChosenOptions = {
	language: "",
	callCenter: false,
	hotwords: "",
	hotwordsId: "",
	correctionsId: "",
	forbiddenId: "",
	silenceMs: 800,
	punctuation: true,
	numbers: true,
	fillers: true,
	speakers: false,
};

const kept = remembered<ChosenOptions>("options", usual);

export const chosen = signal<ChosenOptions>({ ...usual, ...kept.get() });

export function choose(change: Partial<ChosenOptions>): void {
	chosen.value = { ...chosen.value, ...change };
	kept.set(chosen.value);
}

/** The chosen language, or the first that the browser and the device share. */
export function languageInUse(): string {
	const served = session.value?.device.languages ?? [];
	const { language } = chosen.value;
	if (served.includes(language)) return language;
	for (const tag of navigator.languages) {
		const found = served.find((it) =>
			it.startsWith(tag.slice(0, 2).toLowerCase()),
		);
		if (found) return found;
	}
	return served[0] ?? "en-US";
}

/** What the device recognizes, and what that is called. */
export function servedLanguages(): (readonly [
	language: string,
	name: string,
])[] {
	const served = session.value?.device.languages ?? [];
	return served.map((it) => [it, languageName(it)]);
}

/** Of live speech and short requests. */
export function requestOptions() {
	const it = chosen.value;
	const hotwords = hotwordsOf(it.hotwords);
	return {
		lang_type: languageInUse(),
		enable_punctuation_prediction: it.punctuation,
		enable_inverse_text_normalization: it.numbers,
		enable_modal_particle_filter: it.fillers,
		max_sentence_silence: it.silenceMs,
		...(it.callCenter && { field: "call-center" as const }),
		...(hotwords.length > 0 && { hotwords_list: hotwords }),
		...(may("hotwords") && listOptions(it)),
	};
}

/** Whoever sees no stored lists can't choose others either: what somebody else has chosen in this browser is not for them. */
function listOptions({
	hotwordsId,
	correctionsId,
	forbiddenId,
}: ChosenOptions) {
	return {
		...(hotwordsId && { hotwords_id: hotwordsId }),
		...(correctionsId && { correction_words_id: correctionsId }),
		...(forbiddenId && { forbidden_words_id: forbiddenId }),
	};
}
