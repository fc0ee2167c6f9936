/** The parameters of the graphs in the manifest of a FireRed with an attention decoder. */
import { type Static, Type } from "@sinclair/typebox";

const perChannel = Type.Array(Type.Number(), { minItems: 1, maxItems: 512 });
const size = (maximum: number) => Type.Integer({ minimum: 1, maximum });
const token = Type.Integer({ minimum: 0, maximum: 200_000 });

/** Values from the encoder's metadata, which the exporter wrote. */
export const fireRedShapeSchema = Type.Object({
	decoderLayers: size(256),
	heads: size(256),
	headWidth: size(4096),
	/** Places in the decoder's past. */
	placesMax: size(100_000),
	startOfText: token,
	endOfText: token,
	/** Normalisation of features: `mean` is subtracted, then `inverseDeviation` multiplied; one value for each mel channel. */
	mean: perChannel,
	inverseDeviation: perChannel,
});

export type FireRedShape = Static<typeof fireRedShapeSchema>;
