/** `PATCH /v1/device`: the device's name, and that it has been set up. */
import { Type } from "@sinclair/typebox";
import { CodedError } from "../../errors.js";
import { parseJson } from "../../json/validate.js";
import { success } from "../envelope.js";
import { readJson, smallBodyBytesMax } from "../json-body.js";
import type { Route } from "../router.js";

export interface DeviceNaming {
	/** @param name empty: the host name again. @returns the name that it goes by now. */
	change(change: {
		readonly name?: string;
		readonly isSetUp?: boolean;
	}): Promise<{ readonly name: string; readonly isSetUp: boolean }>;
}

const body = Type.Object({
	name: Type.Optional(
		Type.String({
			pattern: "^[^\\p{Cc}]{0,100}$",
			"x-expects": "at most 100 characters without control characters",
			description: "For people; empty: the host name.",
		}),
	),
	set_up: Type.Optional(
		Type.Boolean({ description: "false: the console asks again" }),
	),
});

export function profileRoute(naming: DeviceNaming): Route {
	return {
		method: "PATCH",
		path: "/v1/device",
		access: "admin",
		description: {
			summary: "Name the device, and say that it has been set up",
			body: { type: "application/json", schema: body },
			answer: Type.Object({ name: Type.String(), set_up: Type.Boolean() }),
			errors: ["200001", "200002", "200003", "200004"],
		},
		handle: async ({ request }) => {
			const given = await readJson(request, smallBodyBytesMax);
			const { name, set_up } = parseJson(body, given).values;
			if (name === undefined && set_up === undefined)
				throw new CodedError("200001", "name or set_up is required");
			const changed = await naming.change({
				...(name !== undefined && { name: name.trim() }),
				...(set_up !== undefined && { isSetUp: set_up }),
			});
			return success({ name: changed.name, set_up: changed.isSetUp });
		},
	};
}
