/**
 * The shape of an error's answer. Endpoints that speak another program's protocol answer errors as that protocol's clients read them; a request that no route
 * takes, or that is refused before its route is looked up, is answered in the shape of the paths around it.
 */
import type { CodedError } from "../errors.js";
import { failure } from "./envelope.js";
import type { ApiResponse } from "./exchange.js";
import { openAiFailure } from "./openai/error.js";

/** @param data that the endpoint promises to send with an error; only the envelope has a place for it. */
export type ErrorDialect = (error: CodedError, data?: unknown) => ApiResponse;

/** @param request that was not matched with the routes. */
export function failureAt(
	{ path }: { readonly path: string },
	error: CodedError,
): ApiResponse {
	return dialectAt(path)(error);
}

/** Everything below them belongs to the OpenAI interface. */
const openAiRoots = ["/v1/audio", "/v1/models", "/v1/realtime"];

/** @param path as sent. */
export function dialectAt(path: string): ErrorDialect {
	const isOpenAi = openAiRoots.some(
		(root) => path === root || path.startsWith(`${root}/`),
	);
	return isOpenAi ? openAiFailure : failure;
}
