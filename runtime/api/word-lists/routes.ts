/**
 * The seven operations on the lists of one kind (service-interface.md 4.1, decisions.md 5 and 6): what comes over HTTP to what the service is asked, and back.
 */
import type { StatusCode } from "../../errors.js";
import { CodedError } from "../../errors.js";
import type { WordListRow } from "../../store/word-lists.js";
import { describeDrops } from "../../words/sieve.js";
import type { BodyBudget } from "../body-budget.js";
import { success } from "../envelope.js";
import type { ApiResponse, RequestContext } from "../exchange.js";
import { readJsonIfAny } from "../json-body.js";
import type { Route, RouteDescription } from "../router.js";
import { localTimeText } from "../time-text.js";
import { parseJson, parseQuery } from "../validate.js";
import { formType, readBody } from "./body.js";
import { answers, listQuery, schemasOf, wordsOf } from "./schemas.js";
import type { Changed, GivenWords, WordListService } from "./service.js";

type Handler = (context: RequestContext) => Promise<ApiResponse>;

/** @param bodyBytesMax of JSON and of a form. @param budget for all bodies together. */
export function wordListRoutes(
	service: WordListService,
	bodyBytesMax: number,
	budget: BodyBudget,
): readonly Route[] {
	const { kind } = service;
	const { malformed, missing, exists, inUse } = kind.status;
	const schemas = schemasOf(kind);
	const operations = operationsOf(service, schemas, bodyBytesMax);
	const one = `${kind.path}/:${kind.idParameter}`;
	const bodyErrors: StatusCode[] = [
		"200001",
		"200002",
		"200003",
		"200004",
		"100004",
		malformed,
	];
	const route = (
		method: Route["method"],
		path: string,
		handle: Handler,
		description: RouteDescription,
	): Route => ({
		method,
		path,
		access: "hotwords",
		description,
		handle: description.body
			? (context) =>
					budget.spend(context.request, (request) =>
						handle({ ...context, request }),
					)
			: handle,
	});
	return [
		route("POST", kind.path, operations.create, {
			summary: `Create a ${kind.what}`,
			body: { type: "application/json", schema: schemas.create },
			form: formType(schemas.create),
			answer: answers.id,
			errors: [...bodyErrors, "200008", exists],
		}),
		route("GET", kind.path, operations.list, {
			summary: `List: every ${kind.what}, newest first, in pages`,
			query: listQuery,
			answer: answers.page,
			errors: ["200002", "200008"],
		}),
		route("GET", one, operations.get, {
			summary: `Get a ${kind.what} with its entries`,
			answer: answers.one,
			errors: [malformed, missing],
		}),
		route("PUT", one, operations.modify, {
			summary: `Rename a ${kind.what}, or replace its entries`,
			body: { type: "application/json", schema: schemas.modify },
			form: formType(schemas.modify),
			answer: answers.id,
			errors: [...bodyErrors, missing],
		}),
		route("POST", one, operations.add, {
			summary: `Add entries to a ${kind.what}`,
			body: { type: "application/json", schema: schemas.add },
			form: formType(schemas.add),
			answer: answers.amount,
			errors: [...bodyErrors, missing],
		}),
		route("DELETE", one, operations.remove, {
			summary: `Delete a ${kind.what}, or the entries that a body names`,
			body: {
				type: "application/json",
				schema: schemas.remove,
				optional: true,
			},
			answer: answers.amountOrNull,
			errors: [...bodyErrors, missing, inUse],
		}),
		route(
			"GET",
			`${kind.path}/download/:${kind.idParameter}`,
			operations.download,
			{
				summary: `Download a ${kind.what} as text`,
				answer: answers.text,
				answerType: "text/plain; charset=utf-8",
				errors: [malformed, missing],
			},
		),
	];
}

function operationsOf(
	service: WordListService,
	schemas: ReturnType<typeof schemasOf>,
	bodyBytesMax: number,
) {
	const { kind } = service;
	const idOf = ({ params }: RequestContext) => params[kind.idParameter] ?? "";
	const given = (values: {
		words: unknown;
		auto_extraction: boolean;
	}): GivenWords => ({
		words: wordsOf(values.words, kind),
		extract: values.auto_extraction,
	});
	const create: Handler = async ({ request, log }) => {
		const body = await readBody(request, bodyBytesMax, kind.headers);
		const { values, unknown } = parseJson(schemas.create, body);
		if (unknown.length > 0) log.debug({ unknown }, "unknown keys ignored");
		const changed = await service.create({
			id: values.id,
			name: values.name ?? "",
			language: values.lang_type,
			given: given(values),
		});
		return answerOf(changed, { id: changed.id });
	};
	const modify: Handler = async (context) => {
		const body = await readBody(context.request, bodyBytesMax, kind.headers);
		const { name, words, auto_extraction } = parseJson(
			schemas.modify,
			body,
		).values;
		if (name === undefined && words === undefined)
			throw new CodedError("200001", "name or words is required");
		const changed = await service.modify(
			idOf(context),
			name,
			words === undefined ? undefined : given({ words, auto_extraction }),
		);
		return answerOf(changed, { id: changed.id });
	};
	const add: Handler = async (context) => {
		const body = await readBody(context.request, bodyBytesMax, kind.headers);
		const { values } = parseJson(schemas.add, body);
		const changed = await service.add(idOf(context), given(values));
		return answerOf(changed, changed.amount);
	};
	const remove: Handler = async (context) => {
		// a bad body never deletes the list: only none at all does
		const body = await readJsonIfAny(context.request, bodyBytesMax);
		if (body === undefined) {
			await service.remove(idOf(context));
			return success(null);
		}
		const { values } = parseJson(schemas.remove, body);
		const words = wordsOf(values.words, kind);
		const changed = await service.removeEntries(idOf(context), words);
		return answerOf(changed, changed.amount);
	};
	const get: Handler = async (context) => {
		const { row, entries } = service.read(idOf(context));
		return success({ ...described(row, service), words: entries });
	};
	const list: Handler = async ({ request }) => {
		const { values } = parseQuery(listQuery, request.query);
		const { amount, used, rows } = service.page({
			name: values.name,
			language: values.lang_type,
			pageSize: values.page_size,
			pageIndex: values.page_index,
		});
		const shown = rows.map((row) => described(row, service));
		return success({ amount, used, list: shown });
	};
	const download: Handler = async (context) => {
		const { row, entries } = service.read(idOf(context));
		const header = kind.header(
			row.language as Parameters<typeof kind.header>[0],
		);
		return {
			http: 200,
			headers: {
				"Content-Type": "text/plain; charset=utf-8",
				"Content-Disposition": `attachment; filename="${row.id}.txt"`,
				"Cache-Control": "no-store",
			},
			body: `${[header, ...entries].join("\n")}\n`,
		};
	};
	return { create, list, get, modify, add, remove, download };
}

function described(row: WordListRow, service: WordListService) {
	const time = localTimeText(row.updatedSeconds);
	return {
		id: row.id,
		name: row.name,
		lang_type: row.language,
		status: service.isUsed(row.id) ? 1 : 0,
		amount: row.amount,
		update_time: time,
		updated_time: time,
	};
}

/** Success says what was left out; without that it is the plain word. */
function answerOf({ drops }: Changed, data: unknown): ApiResponse {
	const dropped = drops && describeDrops(drops);
	return success(
		data,
		dropped === undefined ? "success" : `success; ${dropped}`,
	);
}
