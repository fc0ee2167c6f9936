/**
 * `model.json`: what a model package says of itself. One schema gives the type and the check of the file.
 */
import { type Static, Type } from "@sinclair/typebox";

const fileEntry = Type.Object({
	sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
	bytes: Type.Integer({ minimum: 0 }),
});

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
	/** Ids that may never be chosen, and those that may not come first. */
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

/** How windows of sound become voices, with the numbers that were measured for this model (cosines of its embeddings). */
export const speakerShapeSchema = Type.Object({
	/** Floats of an embedding. */
	dimensions: Type.Integer({ minimum: 1, maximum: 4096 }),
	/** Seconds of the longest window that the graph takes, of those that voices are told by, and between their beginnings. */
	windowSecondsMax: Type.Number({ exclusiveMinimum: 0 }),
	windowSeconds: Type.Number({ exclusiveMinimum: 0 }),
	hopSeconds: Type.Number({ exclusiveMinimum: 0 }),
	/** Nothing shorter is embedded: its surroundings are taken in. */
	shortestSeconds: Type.Number({ exclusiveMinimum: 0 }),
	/** Of a pause that no window reaches over. */
	pauseSeconds: Type.Number({ exclusiveMinimum: 0 }),
	/** Shorter windows belong to a voice but found none. */
	foundingSeconds: Type.Number({ exclusiveMinimum: 0 }),
	/** Windows that voices are found by, evenly taken from all. */
	foundingWindowsMax: Type.Integer({ minimum: 2, maximum: 2000 }),
	/** Nearest windows that each is joined to, itself included. */
	neighbours: Type.Integer({ minimum: 2 }),
	/** Voices that are found at most where their number is not given. */
	voicesMax: Type.Integer({ minimum: 1, maximum: 100 }),
	/** Voices of fewer windows are somebody else's: where the number is found, where it is given. */
	windowsMinFound: Type.Integer({ minimum: 1 }),
	windowsMinGiven: Type.Integer({ minimum: 1 }),
	/** Voices nearer than this are one. */
	mergeCosineFound: Type.Number({ minimum: -1, maximum: 1 }),
	mergeCosineGiven: Type.Number({ minimum: -1, maximum: 1 }),
	/** With fewer windows than this a tree is built instead, and cut at this distance (1 - cosine). */
	treeWindowsMax: Type.Integer({ minimum: 1 }),
	treeDistance: Type.Number({ minimum: 0, maximum: 2 }),
	/** Where a speech segmentation helps: its voices of single looks are one up to this distance; absent: they are not asked. */
	localDistance: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
});

/** A clip in the package and the words that a sound recognizer hears in it: the health check decodes it for real. */
export const probeSchema = Type.Object({
	file: Type.String(),
	language: Type.String(),
	words: Type.Array(Type.String(), { minItems: 1 }),
});

/** A streaming zipformer transducer, by its exporter's own account (metadata of its graphs). */
export const zipformerShapeSchema = Type.Object({
	/** Frames of features that the encoder takes at a time, and those that it then goes on by. */
	chunkFrames: Type.Integer({ minimum: 1, maximum: 4096 }),
	hopFrames: Type.Integer({ minimum: 1, maximum: 4096 }),
	mels: Type.Integer({ minimum: 1, maximum: 256 }),
	/** Tokens that the decoder looks back on. */
	contextSize: Type.Integer({ minimum: 1, maximum: 16 }),
	/** Tokens that the joiner scores. */
	vocabulary: Type.Integer({ minimum: 2, maximum: 200_000 }),
	/** What tokens are: pieces of text, or halves of Chinese syllables. */
	units: Type.Union([Type.Literal("text"), Type.Literal("pinyin")]),
});

/** SenseVoice, by its exporter's own account (metadata of its graph). */
export const senseVoiceShapeSchema = Type.Object({
	/** Frames of features stacked into one, and those between two of them. */
	windowFrames: Type.Integer({ minimum: 1, maximum: 64 }),
	hopFrames: Type.Integer({ minimum: 1, maximum: 64 }),
	/** Samples are taken as 16-bit numbers. */
	sixteenBit: Type.Boolean(),
	vocabulary: Type.Integer({ minimum: 2, maximum: 200_000 }),
	/** What is asked about: a language, and text as it is written or as it is spoken. */
	languageIds: Type.Object({
		auto: Type.Integer({ minimum: 0 }),
		zh: Type.Integer({ minimum: 0 }),
		en: Type.Integer({ minimum: 0 }),
		ja: Type.Integer({ minimum: 0 }),
	}),
	withMarks: Type.Integer({ minimum: 0 }),
	withoutMarks: Type.Integer({ minimum: 0 }),
	/** Features are moved by one and multiplied by the other, each as long as a stacked frame. */
	negativeMean: Type.Array(Type.Number(), { minItems: 1, maxItems: 16_384 }),
	inverseDeviation: Type.Array(Type.Number(), {
		minItems: 1,
		maxItems: 16_384,
	}),
});

/** Kinds that recognise speech, and those that serve them. */
export const speechKinds = ["whisper", "zipformer", "sense-voice"] as const;
export const modelKinds = [
	...speechKinds,
	"silero-vad",
	"speech-segmentation",
	"campplus",
] as const;

export const manifestSchema = Type.Object({
	schema: Type.Literal(1),
	name: Type.String({ pattern: "^[a-z0-9][a-z0-9._-]*$" }),
	kind: Type.Union(modelKinds.map((it) => Type.Literal(it))),
	/** `lang_type` values this model serves; empty where language means nothing. */
	languages: Type.Array(Type.String()),
	licence: Type.String(),
	source: Type.String(),
	quantization: Type.Optional(Type.String()),
	files: Type.Record(Type.String(), fileEntry),
	whisper: Type.Optional(whisperShapeSchema),
	zipformer: Type.Optional(zipformerShapeSchema),
	senseVoice: Type.Optional(senseVoiceShapeSchema),
	speaker: Type.Optional(speakerShapeSchema),
	probe: Type.Optional(probeSchema),
	/** Measured figures, for people: what, value, where. */
	measured: Type.Optional(Type.Record(Type.String(), Type.String())),
});

export type SpeechKind = (typeof speechKinds)[number];
export type ModelKind = (typeof modelKinds)[number];
export type Manifest = Static<typeof manifestSchema>;
export type SpeakerShape = Static<typeof speakerShapeSchema>;
export type WhisperShape = Static<typeof whisperShapeSchema>;
export type ZipformerShape = Static<typeof zipformerShapeSchema>;
export type SenseVoiceShape = Static<typeof senseVoiceShapeSchema>;
