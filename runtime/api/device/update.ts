/** `POST /v1/update/check`: whether another version is offered where `update.from` says. Nothing is installed: that is done on the device. */
import { type Static, Type } from "@sinclair/typebox";
import { success } from "../envelope.js";
import type { Route } from "../router.js";

const availabilitySchema = Type.Object({
	is: Type.Union(
		["checkout", "not-configured", "none", "newer", "failed"].map((it) =>
			Type.Literal(it),
		),
		{ description: "whether there is another version, or why none is known" },
	),
	version: Type.String({ description: "of the newer one; empty: not known" }),
	bytes: Type.Integer({ description: "of the newer one; 0: not known" }),
	notes: Type.String({
		description: "what the newer one changes, in its maker's words",
	}),
	reason: Type.String({
		description: "of a failure, or why there are no notes",
	}),
});

export type UpdateAvailability = Static<typeof availabilitySchema>;

export interface UpdateLookout {
	check(): Promise<UpdateAvailability>;
}

export function updateRoute(lookout: UpdateLookout): Route {
	return {
		method: "POST",
		path: "/v1/update/check",
		access: "admin",
		description: {
			summary: "Look whether another version of the program is offered",
			answer: availabilitySchema,
			errors: [],
		},
		handle: async () => success(await lookout.check()),
	};
}
