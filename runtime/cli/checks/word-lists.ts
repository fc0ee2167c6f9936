/** Checks that the word lists which the configuration names are there: a microphone without its list recognizes nothing. */
import { existsSync } from "node:fs";
import type { Config } from "../../config/schema.js";
import { parseLanguage } from "../../session/languages.js";
import { configuredLists, type ListNames } from "../../session/options.js";
import { databasePath } from "../../store/state-files.js";
import { StoreError } from "../../store/store-error.js";
import type { WordListRepository } from "../../store/word-lists.js";
import type { Language } from "../../text/languages.js";
import { type WordListKind, wordListKinds } from "../../word-lists/kinds.js";
import { correctionLimits } from "../../words/correction.js";
import type { ListKind } from "../../words/list-key.js";
import { withStore } from "../store-visit.js";
import { broken, type Finding, ok, warning } from "./finding.js";

const about = "word lists";

/** A part of the configuration that names lists. */
interface Naming {
	readonly name: string;
	readonly lists: ListNames;
	/** Of the lists; undefined: each recognition uses those of its own. */
	readonly language: Language | undefined;
}

/** @returns nothing where the configuration names none. */
export async function checkWordLists(config: Config): Promise<Finding[]> {
	const namings = namingsOf(config);
	if (namings.length === 0) return [];
	const rows = await listsOf(config.state.dir).catch((error: unknown) => {
		if (!(error instanceof StoreError)) throw error;
		return error;
	});
	if (rows instanceof StoreError)
		return [
			warning(
				about,
				`those of the configuration can't be looked up: ${rows.message}`,
				"run this as the user of the service",
			),
		];
	const kinds = Object.values(
		wordListKinds(config.hotwords.categories, correctionLimits(config.limits)),
	);
	const findings = namings.flatMap((naming) =>
		kinds.flatMap((kind) => faultsOf(naming, kind, rows[kind.kind])),
	);
	return findings.length > 0 ? findings : [ok(about, "all are there")];
}

function namingsOf({ microphone, endpoints }: Config): Naming[] {
	const microphones = microphone.map((it) => ({
		name: `microphone ${it.id}`,
		lists: configuredLists(it),
		language: parseLanguage(it.language),
	}));
	const others = {
		name: "endpoints",
		lists: configuredLists(endpoints),
		language: undefined,
	};
	return [...microphones, others].filter(
		({ lists }) => Object.keys(lists).length > 0,
	);
}

type Languages = ReadonlyMap<string, string>;

/** Languages of the stored lists, by their ids. @throws StoreError */
async function listsOf(dir: string): Promise<Record<ListKind, Languages>> {
	const none: Languages = new Map();
	const lists = {
		hotwords: none,
		"correction-words": none,
		"forbidden-words": none,
	};
	if (!existsSync(databasePath(dir))) return lists; // the server has not run yet
	await withStore(dir, (store) => {
		lists.hotwords = languagesOf(store.hotwords);
		lists["correction-words"] = languagesOf(store.correctionWords);
		lists["forbidden-words"] = languagesOf(store.forbiddenWords);
	});
	return lists;
}

function languagesOf(repository: WordListRepository): Languages {
	return new Map(repository.list().map((it) => [it.id, it.language]));
}

function faultsOf(
	{ name, lists, language }: Naming,
	{ kind, what, idParameter }: WordListKind,
	stored: Languages,
): Finding[] {
	const named = {
		hotwords: lists.hotwordsId,
		"correction-words": lists.correctionWordsId,
		"forbidden-words": lists.forbiddenWordsId,
	}[kind];
	if (named === undefined) return [];
	const isAll = named === "all" && kind !== "hotwords";
	return (isAll ? [] : named.split("|")).flatMap((id) => {
		const found = stored.get(id);
		const todo = `make it (docs/word-lists.md), or correct ${idParameter}`;
		if (found === undefined)
			return language
				? broken(name, `recognizes nothing: ${what} ${id} does not exist`, todo)
				: warning(name, `${what} ${id} does not exist: it is left out`, todo);
		if (language && found !== language)
			return broken(
				name,
				`recognizes nothing: ${what} ${id} is of ${found}, and its language is ${language}`,
				todo,
			);
		return [];
	});
}
