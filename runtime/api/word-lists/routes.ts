/** The seven endpoints of one kind of list (docs/interface.md section 4.1, docs/decisions.md sections 5 and 6). */
import type { StatusCode } from "../../errors.js";
import type { WordListService } from "../../word-lists/service.js";
import type { BodyBudget } from "../body-budget.js";
import type { PieceMaker } from "../in-pieces.js";
import type { Route, RouteDescription } from "../router.js";
import { formType } from "./body.js";
import { type Handler, operationsOf } from "./operations.js";
import { answers, changeQuery, listQuery, schemasOf } from "./schemas.js";

/** @param bodyBytesMax of JSON and of a form. @param budget shared by all bodies. @param maker of long answers, shared by all of them. */
export function wordListRoutes(
	service: WordListService,
	bodyBytesMax: number,
	budget: BodyBudget,
	maker: PieceMaker,
): readonly Route[] {
	const { kind } = service;
	const { malformed, missing, exists, inUse } = kind.status;
	const schemas = schemasOf(kind);
	const operations = operationsOf(service, schemas, bodyBytesMax, maker);
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
					budget.spend(context, (request) => handle({ ...context, request }))
			: handle,
	});
	return [
		route("POST", kind.path, operations.create, {
			summary: `Create a ${kind.what}`,
			query: changeQuery,
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
			query: changeQuery,
			body: { type: "application/json", schema: schemas.modify },
			form: formType(schemas.modify),
			answer: answers.id,
			errors: [...bodyErrors, missing],
		}),
		route("POST", one, operations.add, {
			summary: `Add entries to a ${kind.what}`,
			query: changeQuery,
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
