/** The parameters of a speaker embedding in its manifest. */
import { type Static, Type } from "@sinclair/typebox";

/** How windows of audio are clustered to speakers, with thresholds measured for this model (cosines of its embeddings). */
export const speakerShapeSchema = Type.Object({
	/** Floats of an embedding. */
	dimensions: Type.Integer({ minimum: 1, maximum: 4096 }),
	/** The longest window that the graph accepts, the length of the windows that are clustered, and the hop between them, in seconds. */
	windowSecondsMax: Type.Number({ exclusiveMinimum: 0 }),
	windowSeconds: Type.Number({ exclusiveMinimum: 0 }),
	hopSeconds: Type.Number({ exclusiveMinimum: 0 }),
	/** A shorter window is extended into its surroundings before it is embedded. */
	shortestSeconds: Type.Number({ exclusiveMinimum: 0 }),
	/** No window spans a pause of this length. */
	pauseSeconds: Type.Number({ exclusiveMinimum: 0 }),
	/** Shorter windows are assigned to a speaker but do not take part in clustering. */
	foundingSeconds: Type.Number({ exclusiveMinimum: 0 }),
	/** Maximum number of windows for clustering, sampled evenly from all. */
	foundingWindowsMax: Type.Integer({ minimum: 2, maximum: 2000 }),
	/** Nearest neighbours of each window in the graph, itself included. */
	neighbours: Type.Integer({ minimum: 2 }),
	/** Maximum number of speakers where their number is not given. */
	voicesMax: Type.Integer({ minimum: 1, maximum: 100 }),
	/** Clusters with fewer windows are merged into others: where the number of speakers is found, and where it is given. */
	windowsMinFound: Type.Integer({ minimum: 1 }),
	windowsMinGiven: Type.Integer({ minimum: 1 }),
	/** Clusters with a larger cosine than this are merged: where the number of speakers is found, and where it is given. */
	mergeCosineFound: Type.Number({ minimum: -1, maximum: 1 }),
	mergeCosineGiven: Type.Number({ minimum: -1, maximum: 1 }),
	/** With fewer windows than this, agglomerative clustering is used, cut at this distance (1 - cosine). */
	treeWindowsMax: Type.Integer({ minimum: 1 }),
	treeDistance: Type.Number({ minimum: 0, maximum: 2 }),
	/** With a speech segmentation: speakers of its spans are merged up to this distance; absent: the segmentation is not used. */
	localDistance: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
});

export type SpeakerShape = Static<typeof speakerShapeSchema>;
