/** HTTP status lines (RFC 9110, 15), as the server library wants them. */
import { STATUS_CODES } from "node:http";

export function statusLine(http: number): string {
	return `${http} ${STATUS_CODES[http] ?? "Unknown"}`;
}
