/** What the manifest of a speaker embedding says of it. */
import { type Static, Type } from "@sinclair/typebox";

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

export type SpeakerShape = Static<typeof speakerShapeSchema>;
