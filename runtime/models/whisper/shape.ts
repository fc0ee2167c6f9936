/** Graph dimensions and token ids in the manifest of a Whisper package. */
import { type Static, Type } from "@sinclair/typebox";

export const whisperShapeSchema = Type.Object({
	mels: Type.Integer({ description: "80, or 128 for large-v3" }),
	state: Type.Integer({ description: "model width" }),
	heads: Type.Integer(),
	encoderLayers: Type.Integer(),
	decoderLayers: Type.Integer(),
	vocabulary: Type.Integer(),
	alignmentHeads: Type.Integer({
		description: "rows of the decoder's alignment output",
	}),
	/** Ids that must never be chosen, and ids that must not come first. */
	suppress: Type.Array(Type.Integer()),
	suppressFirst: Type.Array(Type.Integer()),
	/** Whisper's id of each language, by ISO code. */
	languageTokens: Type.Record(Type.String(), Type.Integer()),
	/** Ids of the named special tokens. */
	special: Type.Object({
		endOfText: Type.Integer(),
		startOfTranscript: Type.Integer(),
		transcribe: Type.Integer(),
		startOfPrevious: Type.Integer(),
		noSpeech: Type.Integer(),
		noTimestamps: Type.Integer(),
		firstTimestamp: Type.Integer(),
	}),
});

export type WhisperShape = Static<typeof whisperShapeSchema>;

/** Whether it learned to translate: those whose decoder was cut down afterwards (turbo, distilled) did not. */
export function translates({
	encoderLayers,
	decoderLayers,
}: Pick<WhisperShape, "encoderLayers" | "decoderLayers">): boolean {
	return decoderLayers === encoderLayers;
}

/** The tokens before a text. @param translating from that language into English */
export function promptOf(
	{ special }: WhisperShape,
	languageToken: number,
	translating = false,
): readonly number[] {
	const translate = special.transcribe - 1; // in every vocabulary, see convert/token-ids.ts
	return [
		special.startOfTranscript,
		languageToken,
		translating ? translate : special.transcribe,
		special.noTimestamps,
	];
}
