/**
 * Whisper's special ids. All multilingual models share a vocabulary of 50257 byte pairs; the ids after them depend on the number of languages, which
 * follows from the vocabulary's size: 51865 has 99 languages, 51866 (large-v3) has Cantonese as the hundredth.
 */
import { badSource } from "./weights.js";

/** Number of byte pairs; the last one is empty. */
export const bytePairCount = 50_257;

/** In the order of their ids. */
const languages =
	"en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su yue".split(
		" ",
	);

const timestampCount = 1501; // 0.00 to 30.00 s
const namedCount = 8; // end, start, translate, transcribe, language model, previous, no speech, no timestamps

export type TokenIds = {
	readonly languageTokens: Readonly<Record<string, number>>;
	readonly special: {
		readonly endOfText: number;
		readonly startOfTranscript: number;
		readonly transcribe: number;
		readonly startOfPrevious: number;
		readonly noSpeech: number;
		readonly noTimestamps: number;
		readonly firstTimestamp: number;
	};
};

/** @throws SourceError for a vocabulary that is not multilingual Whisper's. */
export function tokenIdsOf(vocabulary: number): TokenIds {
	const count = vocabulary - bytePairCount - namedCount - timestampCount;
	if (count !== 99 && count !== 100)
		throw badSource(
			`a vocabulary of ${vocabulary} tokens is not multilingual Whisper's (51865 or 51866)${vocabulary === 51_864 ? ": this is an English-only model; take the multilingual one of the same size" : ""}`,
		);
	const first = bytePairCount + 2;
	const translate = first + count;
	return {
		languageTokens: Object.fromEntries(
			languages.slice(0, count).map((code, index) => [code, first + index]),
		),
		special: {
			endOfText: bytePairCount,
			startOfTranscript: bytePairCount + 1,
			transcribe: translate + 1,
			startOfPrevious: translate + 3,
			noSpeech: translate + 4,
			noTimestamps: translate + 5,
			firstTimestamp: translate + 6,
		},
	};
}
