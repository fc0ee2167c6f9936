/** Errors of every route that takes audio and names word lists, for its description; in the order of their statuses. */
import type { StatusCode } from "../errors.js";

export const audioErrors = [
	"200005",
	"200006",
	"200007",
	"200008",
	"210404",
	"211404",
	"212404",
] as const satisfies readonly StatusCode[];
