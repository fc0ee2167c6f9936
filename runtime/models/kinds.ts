/**
 * The kinds of model package. To add one, create a folder with a `kind.ts`, and add a line here.
 */
import { type TOptional, Type } from "@sinclair/typebox";
import { campplus } from "./campplus/kind.js";
import { ctc } from "./ctc/kind.js";
import { fireRed } from "./fire-red/kind.js";
import type { ModelKind } from "./model-kind.js";
import { moonshine } from "./moonshine/kind.js";
import { nemoTransducer } from "./nemo-transducer/kind.js";
import { paraformer } from "./paraformer/kind.js";
import { secondEar } from "./second-ear/kind.js";
import { senseVoice } from "./sense-voice/kind.js";
import { silero } from "./silero/kind.js";
import { speechSegmentation } from "./speech-segmentation/kind.js";
import { streamingCtc } from "./streaming-ctc/kind.js";
import { streamingParaformer } from "./streaming-paraformer/kind.js";
import { transducer } from "./transducer/kind.js";
import { whisper } from "./whisper/kind.js";
import { zipformer } from "./zipformer/kind.js";

const kinds = [
	whisper,
	zipformer,
	secondEar,
	senseVoice,
	transducer,
	nemoTransducer,
	ctc,
	streamingCtc,
	paraformer,
	streamingParaformer,
	moonshine,
	fireRed,
	silero,
	speechSegmentation,
	campplus,
] as const;

type Kind = (typeof kinds)[number];
export type ModelKindName = Kind["name"];
type ShapeEntry = NonNullable<Kind["shape"]>;
/** Keys of `model.json` that only one kind has. */
export type ShapeKey = ShapeEntry["key"];

/** The kinds by their common interface: a shape belongs to the manifest that names the kind. */
export const modelKinds: readonly ModelKind<ModelKindName>[] =
	kinds as readonly unknown[] as readonly ModelKind<ModelKindName>[];

/** Fields of `model.json`: the shape of each kind under its key. */
export const shapeFields = Object.fromEntries(
	modelKinds.flatMap(({ shape }) =>
		shape ? [[shape.key, Type.Optional(shape.schema)]] : [],
	),
) as {
	[Key in ShapeKey]: TOptional<Extract<ShapeEntry, { key: Key }>["schema"]>;
};

export function modelKindOf(name: ModelKindName): ModelKind<ModelKindName> {
	return modelKinds.find((it) => it.name === name) as ModelKind<ModelKindName>;
}
