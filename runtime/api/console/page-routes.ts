/** `GET /console/` and its files, and `/`, which leads there whoever asks for a page. */
import { Type } from "@sinclair/typebox";
import { CodedError } from "../../errors.js";
import { withHeaders } from "../envelope.js";
import type { ApiRequest, ApiResponse } from "../exchange.js";
import type { Route } from "../router.js";
import { type ConsoleAssets, indexName } from "./assets.js";
import { pageHeaders } from "./page-headers.js";

export function pageRoutes(assets: ConsoleAssets): readonly Route[] {
	return [
		page("/", "To the console", async ({ request }) => {
			if (!wantsPage(request)) throw new CodedError("100001");
			return to("console/", request);
		}),
		page("/console", "To the console", async ({ request }) =>
			to("console/", request),
		),
		page("/console/", "The console", ({ request }) =>
			fileOf(assets, indexName, request),
		),
		page("/console/:file", "A file of the console", ({ request, params }) =>
			fileOf(assets, params.file ?? "", request),
		),
	];
}

function page(path: string, summary: string, handle: Route["handle"]): Route {
	return {
		method: "GET",
		path,
		access: "open",
		isPage: true,
		handle,
		description: { summary, answer: Type.String(), errors: ["100001"] },
	};
}

async function fileOf(
	assets: ConsoleAssets,
	name: string,
	request: ApiRequest,
): Promise<ApiResponse> {
	const answer = await assets.answer(name, request);
	if (!answer)
		throw new CodedError("100001", "the console has no such file; reload it");
	return name === indexName
		? withHeaders(answer, pageHeaders(request))
		: answer;
}

/** Relative to what the browser asked for: a proxy in front may not say under which path it offers this server. */
function to(place: string, { prefix }: ApiRequest): ApiResponse {
	const address = prefix === "" ? place : `${prefix}/${place}`;
	return {
		http: 302,
		headers: { Location: address, "Cache-Control": "no-store", Vary: "Accept" },
		body: "",
	};
}

function wantsPage(request: ApiRequest): boolean {
	return /\btext\/html\b/i.test(request.header("accept") ?? "");
}
