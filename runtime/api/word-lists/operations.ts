/** The seven operations on the lists of one kind: HTTP requests to calls of the service, and back. */

import { localTimeText } from "../../clock/time-text.js";
import { CodedError } from "../../errors.js";
import { parseJson, parseQuery } from "../../json/validate.js";
import type { WordListRow } from "../../store/word-lists.js";
import type { Language } from "../../text/languages.js";
import type { GivenWords } from "../../word-lists/entry-selection.js";
import type { Changed, WordListService } from "../../word-lists/service.js";
import { describeDrops } from "../../words/entry-filter.js";
import { success, successInPieces } from "../envelope.js";
import type { ApiResponse, RequestContext } from "../exchange.js";
import type { PieceMaker } from "../in-pieces.js";
import { readJsonIfAny } from "../json-body.js";
import { readBody } from "./body.js";
import { linesOf, listInJson } from "./entry-texts.js";
import {
	changeQuery,
	type ListChanged,
	listQuery,
	type Schemas,
	wordsOf,
} from "./schemas.js";

export type Handler = (context: RequestContext) => Promise<ApiResponse>;

export function operationsOf(
	service: WordListService,
	schemas: Schemas,
	bodyBytesMax: number,
	maker: PieceMaker,
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
	const create: Handler = async (context) => {
		const { request, principal, log } = context;
		const showDropped = showsDropped(context);
		const body = await readBody(request, bodyBytesMax, kind.headers);
		const { values, unknown } = parseJson(schemas.create, body);
		if (unknown.length > 0) log.debug({ unknown }, "unknown keys ignored");
		const changed = await service.create({
			id: values.id,
			name: values.name ?? "",
			language: values.lang_type,
			given: given(values),
			owner: principal.owner,
		});
		return answerOf(changed, showDropped, { id: changed.id });
	};
	const modify: Handler = async (context) => {
		const showDropped = showsDropped(context);
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
		return answerOf(changed, showDropped, { id: changed.id });
	};
	const add: Handler = async (context) => {
		const showDropped = showsDropped(context);
		const body = await readBody(context.request, bodyBytesMax, kind.headers);
		const { values } = parseJson(schemas.add, body);
		const changed = await service.add(idOf(context), given(values));
		return answerOf(changed, showDropped, changed.amount);
	};
	const remove: Handler = async (context) => {
		// an invalid body never deletes the list: only a request without a body does
		const body = await readJsonIfAny(context.request, bodyBytesMax);
		if (body === undefined) {
			await service.remove(idOf(context));
			return success(null);
		}
		const { values } = parseJson(schemas.remove, body);
		const words = wordsOf(values.words, kind);
		const changed = await service.removeEntries(idOf(context), words);
		return success(changed.amount);
	};
	const get: Handler = async (context) => {
		const { row, entries } = service.read(idOf(context));
		const about = described(row, service);
		return successInPieces(listInJson(about, entries), maker);
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
		const header = kind.header(row.language as Language);
		const lines = linesOf(header, entries);
		return {
			http: 200,
			headers: {
				"Content-Type": "text/plain; charset=utf-8",
				"Content-Disposition": `attachment; filename="${row.id}.txt"`,
				"Cache-Control": "no-store",
			},
			body: { pieces: () => maker.inPieces(lines) },
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

function showsDropped({ request }: RequestContext): boolean {
	return parseQuery(changeQuery, request.query).values.show_dropped;
}

/** The message of a success counts the entries that were left out, if any. @param data unless those entries were asked for. */
function answerOf(
	changed: Changed,
	showDropped: boolean,
	data: unknown,
): ApiResponse {
	const dropped = changed.drops && describeDrops(changed.drops);
	return success(
		showDropped ? withDropped(changed) : data,
		dropped === undefined ? "success" : `success; ${dropped}`,
	);
}

function withDropped({ id, amount, drops }: Changed): ListChanged {
	return {
		id,
		amount,
		dropped: [...(drops?.reasons ?? [])].map(
			([reason, { count, entries }]) => ({
				reason,
				count,
				entries: [...entries],
			}),
		),
	};
}
