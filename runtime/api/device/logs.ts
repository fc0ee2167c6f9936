/** `GET /v1/logs`: the last lines of the log. */
import { type Static, Type } from "@sinclair/typebox";
import { parseQuery } from "../../json/validate.js";
import type { LogTail } from "../../log/log-tail.js";
import { success } from "../envelope.js";
import type { Route } from "../router.js";

const query = Type.Object({
	after: Type.Integer({
		minimum: 0,
		default: 0,
		description: "Only lines with a higher number.",
	}),
});

const shownLine = Type.Object({
	number: Type.Integer(),
	line: Type.String({ description: "JSON, as it was logged" }),
});
export type ShownLine = Static<typeof shownLine>;

export function logRoute(tail: Pick<LogTail, "after">): Route {
	return {
		method: "GET",
		path: "/v1/logs",
		access: "admin",
		description: {
			summary: "The last 2000 lines of the log, oldest first",
			query,
			answer: Type.Array(shownLine),
			errors: ["200002"],
		},
		handle: async ({ request }) =>
			success(tail.after(parseQuery(query, request.query).values.after)),
	};
}
