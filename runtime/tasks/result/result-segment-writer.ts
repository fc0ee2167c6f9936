/** Writes sentences and subtitle lines as segments of the result: numbered, in paragraphs, with exactly the requested fields. */
import { probability } from "../../session/probability.js";
import type { Language } from "../../text/languages.js";
import type { FileOptions } from "../file-options.js";
import { hasLabels, labelOf } from "./language-label.js";
import type { ResultSegment } from "./result.js";
import { resultWords } from "./result-words.js";
import {
	beginMs,
	endMs,
	type Sentence,
	type SentenceWord,
} from "./sentence.js";
import { timeCode } from "./time-code.js";
import { joinWritten, writtenCharacters } from "./written.js";

export class ResultSegmentWriter {
	readonly #options: FileOptions;
	#segments = 0;
	#paragraph = 1;
	#paragraphCharacters = 0;
	#hasText = false;
	#speaker: number | undefined;
	#label: Language | undefined;

	constructor(options: FileOptions) {
		this.#options = options;
	}

	/** @returns undefined where nothing is left to write: only marks that were not requested. */
	write(sentence: Sentence): ResultSegment | undefined {
		if (sentence.understood === false) return this.#notUnderstood(sentence);
		const options = this.#options;
		const written = withWrittenMarks(sentence, options);
		if (written.text === "") return undefined;
		this.#enterParagraph(sentence);
		this.#paragraphCharacters += [...written.text].length;
		this.#segments++;
		const label = options.langLabel && this.#labelOf(written.text, sentence);
		return {
			begin: timeCode(beginMs(sentence)),
			end: timeCode(endMs(sentence)),
			seg_num: this.#segments,
			transcript: written.text,
			confidence: probability(sentence.confidence),
			...(options.words && { words: resultWords(written, options) }),
			...(label && { lang_type: label }),
			paragraph: this.#paragraph,
			...(sentence.speaker !== undefined && { cluster_id: sentence.speaker }),
			...(sentence.beside && { overlap_cluster_ids: sentence.beside }),
		};
	}

	/** It begins no paragraph and does not change the current speaker. */
	#notUnderstood(sentence: Sentence): ResultSegment {
		this.#segments++;
		return {
			begin: timeCode(beginMs(sentence)),
			end: timeCode(endMs(sentence)),
			seg_num: this.#segments,
			transcript: "",
			understood: false,
			confidence: 0,
			words: [],
			paragraph: this.#paragraph,
			...(sentence.speaker !== undefined && { cluster_id: sentence.speaker }),
		};
	}

	/** A change of speaker begins a paragraph, and so does the first sentence after `paragraphCondition` characters of the same speaker. */
	#enterParagraph({ speaker, begins }: Sentence): void {
		const { paragraphCondition } = this.#options;
		const isOther = this.#hasText && speaker !== this.#speaker;
		const isFull =
			paragraphCondition !== undefined &&
			begins &&
			this.#paragraphCharacters >= paragraphCondition;
		this.#speaker = speaker;
		this.#hasText = true;
		if (!isOther && !isFull) return;
		this.#paragraph++;
		this.#paragraphCharacters = 0;
	}

	#labelOf(text: string, { spokenIn }: Sentence): Language | undefined {
		const { language } = this.#options;
		if (!hasLabels(language)) return undefined;
		this.#label = labelOf(text, language, spokenIn, this.#label);
		return this.#label;
	}
}

/** The sentence as it is written, with the positions of its words in that text. */
function withWrittenMarks(
	sentence: Sentence,
	options: FileOptions,
): Pick<Sentence, "text" | "words"> {
	if (options.punctuation) return sentence;
	const written = writtenCharacters(sentence.text, options);
	const characters = [...sentence.text];
	const text = joinWritten(written);
	const words: SentenceWord[] = [];
	let index = 0; // of the next character
	let offset = 0; // in the sentence
	let found = 0; // in what is written
	for (const word of sentence.words) {
		let own = "";
		for (; offset < word.to; index++) {
			if (offset >= word.from) own += written[index] as string;
			offset += (characters[index] as string).length;
		}
		own = own.trim();
		if (own === "") continue;
		const from = text.indexOf(own, found);
		if (from < 0) continue;
		found = from + own.length;
		// a mark that remains is part of a number: -5, 10〜20
		const kind = word.kind === "punc" ? "normal" : word.kind;
		words.push({ ...word, kind, from, to: found });
	}
	return { text, words };
}
