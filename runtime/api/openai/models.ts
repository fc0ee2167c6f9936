/** `GET /v1/models`: the installed models, and the names that programs made for OpenAI know, since they fill a menu from this list. */
import { Type } from "@sinclair/typebox";
import { CodedError } from "../../errors.js";
import { tokenOfAnyClient } from "../credentials.js";
import { json } from "../envelope.js";
import type { Route } from "../router.js";
import { openAiFailure } from "./error.js";

/** A speech model of this device. */
export interface InstalledModel {
	readonly name: string;
	/** Unix time, seconds. */
	readonly installedSeconds: number;
	readonly source: string;
	readonly languages: readonly string[];
	/** Continues decoding an open segment. */
	readonly streaming: boolean;
	/** Speech in other languages into English. */
	readonly translates: boolean;
	/** The main model. */
	readonly active: boolean;
	/** Languages that it recognizes here; empty: none, it is only installed. */
	readonly serves: readonly string[];
	readonly megabytes: number;
}

export type InstalledModels = () => Promise<readonly InstalledModel[]>;

const aliases = ["whisper-1", "gpt-4o-transcribe"];

const model = Type.Object({
	id: Type.String(),
	object: Type.Literal("model"),
	created: Type.Integer({ description: "Unix time, seconds" }),
	owned_by: Type.String(),
});

export function modelRoutes(installed: InstalledModels): readonly Route[] {
	const shared = {
		method: "GET",
		access: "token",
		tokenOf: tokenOfAnyClient,
		dialect: openAiFailure,
		endpoint: "openai",
	} as const;
	return [
		{
			...shared,
			path: "/v1/models",
			description: {
				summary: "OpenAI: the models",
				answer: Type.Object({
					object: Type.Literal("list"),
					data: Type.Array(model),
				}),
				answerType: "application/json",
				errors: [],
			},
			handle: async () =>
				json(200, { object: "list", data: await listed(installed) }),
		},
		{
			...shared,
			path: "/v1/models/:model",
			description: {
				summary: "OpenAI: one model",
				answer: model,
				answerType: "application/json",
				errors: ["100001"],
			},
			handle: async ({ params }) => {
				const found = (await listed(installed)).find(
					({ id }) => id === params.model,
				);
				if (!found) throw unknownModel();
				return json(200, found);
			},
		},
	];
}

/** @throws CodedError 100001 where there is no such model. */
export async function checkModel(
	name: string,
	installed: InstalledModels,
): Promise<void> {
	const known = await listed(installed);
	if (!known.some(({ id }) => id === name)) throw unknownModel();
}

/** @throws CodedError 200002 where the model in use can't. */
export async function checkTranslates(
	installed: InstalledModels,
): Promise<void> {
	const active = (await installed()).find((it) => it.active);
	if (active?.translates) return;
	throw new CodedError(
		"200002",
		"the model in use can't translate; POST /v1/audio/transcriptions returns the text in the language that is spoken",
		{ param: "model", code: "unsupported_model" },
	);
}

function unknownModel(): CodedError {
	return new CodedError(
		"100001",
		"there is no such model here; GET /v1/models lists them",
		{ param: "model", code: "model_not_found" },
	);
}

async function listed(installed: InstalledModels) {
	const all = await installed();
	const active = all.find((it) => it.active) ?? all[0];
	const own = all.map((it) => ({ ...described(it), id: it.name }));
	if (!active) return own;
	const others = aliases.map((id) => ({
		...described(active),
		id,
		owned_by: "alias",
	}));
	return [...own, ...others];
}

function described(it: InstalledModel) {
	const { languages, streaming, translates, active, serves, megabytes } = it;
	return {
		id: it.name,
		object: "model",
		created: it.installedSeconds,
		owned_by: it.source,
		earshot: { languages, streaming, translates, active, serves, megabytes },
	};
}
