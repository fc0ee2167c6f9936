/** `GET /v1/word-lists/uses`: what uses each stored list. */
import { type Static, Type } from "@sinclair/typebox";
import type { ListUse } from "../../word-lists/uses.js";
import { success } from "../envelope.js";
import type { Route } from "../router.js";

const useSchema = Type.Object({
	kind: Type.String({
		description: "hotwords, correction-words or forbidden-words",
	}),
	id: Type.String(),
	in_use: Type.Boolean({ description: "held now: it can't be deleted" }),
	tasks: Type.Integer({ description: "unfinished file tasks that name it" }),
	microphones: Type.Array(
		Type.Object({ id: Type.String(), room: Type.String() }),
		{ description: "whose configuration names it" },
	),
	endpoints: Type.Boolean({
		description: "endpoints.* of the configuration names it",
	}),
});
export type DescribedUse = Static<typeof useSchema>;

export function listUsesRoute(uses: () => readonly ListUse[]): Route {
	return {
		method: "GET",
		path: "/v1/word-lists/uses",
		access: "hotwords",
		description: {
			summary: "What uses the word lists; those that nothing uses are left out",
			answer: Type.Array(useSchema),
			errors: [],
		},
		handle: async () => success(uses().map(described)),
	};
}

function described({
	kind,
	id,
	isHeld,
	tasks,
	microphones,
	isOfEndpoints,
}: ListUse): DescribedUse {
	return {
		kind,
		id,
		in_use: isHeld,
		tasks,
		microphones: microphones.map(({ id, room }) => ({ id, room })),
		endpoints: isOfEndpoints,
	};
}
