/** What the endpoints of a kind of list take and answer, for the checks and for OpenAPI alike (docs/interface.md sections 2.2, 4.1). */
import { Type } from "@sinclair/typebox";
import { CodedError } from "../../errors.js";
import { sharedOptions } from "../../session/request-options.js";
import type { WordListKind } from "../../word-lists/kinds.js";
import { idCharactersMax } from "../../word-lists/service.js";
import { entriesMax } from "../../word-lists/sifting.js";

const nameCharactersMax = 1024;
const pageSizeMax = 100;

const name = Type.Optional(Type.String({ maxLength: nameCharactersMax }));

function words({ entryForm }: WordListKind) {
	return Type.Unsafe<unknown>({
		type: "array",
		items: { type: "string" },
		description: `At most ${entriesMax} entries. ${entryForm} Entries that break a rule are left out and counted in message.`,
		"x-checked-later": true, // `wordsOf`: its status is the kind's
	});
}

const extraction = Type.Boolean({
	default: false,
	description:
		"words are free text, of which the keywords are taken (hotwords in Chinese and Chinese-English only).",
});

export type Schemas = ReturnType<typeof schemasOf>;

export function schemasOf(kind: WordListKind) {
	const id = Type.Optional(
		Type.String({
			pattern: `^[a-zA-Z0-9_-]{1,${idCharactersMax}}$`,
			"x-status": kind.status.malformed,
			"x-expects": `1 to ${idCharactersMax} letters, digits, _ and - characters`,
			description: "Made by the service where it is left out.",
		}),
	);
	return {
		create: Type.Object({
			id,
			name,
			lang_type: sharedOptions.lang_type,
			words: words(kind),
			auto_extraction: extraction,
		}),
		modify: Type.Object({
			name,
			words: Type.Optional(words(kind)),
			auto_extraction: extraction,
		}),
		add: Type.Object({ words: words(kind), auto_extraction: extraction }),
		remove: Type.Object({ words: words(kind) }),
	};
}

export const listQuery = Type.Object({
	name: Type.Optional(
		Type.String({ description: "A part of the name, or the whole id." }),
	),
	lang_type: Type.Optional(sharedOptions.lang_type),
	page_size: Type.Integer({ minimum: 1, maximum: pageSizeMax, default: 10 }),
	page_index: Type.Integer({ minimum: 1, maximum: 1e9, default: 1 }),
});

const described = {
	id: Type.String(),
	name: Type.String(),
	lang_type: Type.String(),
	status: Type.Integer({ description: "1: in use, 0: not" }),
	amount: Type.Integer({ description: "entries" }),
	update_time: Type.String({ description: "YYYY-MM-DD hh:mm:ss" }),
	updated_time: Type.String({ description: "the same" }),
};

export const answers = {
	id: Type.Object({ id: Type.String() }),
	amount: Type.Integer({ description: "Entries that are there now." }),
	amountOrNull: Type.Union([Type.Integer(), Type.Null()], {
		description: "Entries that are left; null where the list was deleted.",
	}),
	page: Type.Object({
		amount: Type.Integer({ description: "lists that match" }),
		used: Type.Integer({ description: "lists in all" }),
		list: Type.Array(Type.Object(described)),
	}),
	one: Type.Object({ ...described, words: Type.Array(Type.String()) }),
	text: Type.String({ description: "A header, then one entry a line." }),
};

/** @throws CodedError the kind's own status where they are no list of strings. */
export function wordsOf(value: unknown, kind: WordListKind): string[] {
	const wrong = (got: string) =>
		new CodedError(
			kind.status.malformed,
			`words must be a list of strings, got ${got}`,
		);
	if (!Array.isArray(value)) throw wrong(typeName(value));
	const place = value.findIndex((it) => typeof it !== "string");
	if (place >= 0) throw wrong(`${typeName(value[place])} as item ${place + 1}`);
	return value as string[];
}

function typeName(value: unknown): string {
	if (value === null) return "null";
	if (Array.isArray(value)) return "a list";
	return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
