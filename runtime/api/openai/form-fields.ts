/**
 * Fields of a form as OpenAI's clients write them: a list as `name[]` repeated (their SDKs), as `name` repeated, or as one JSON text; an object as `name[key]`
 * or as one JSON text.
 */
import { CodedError } from "../../errors.js";
import { shown } from "../../json/expectation.js";
import { jsonOf } from "../../json/json-parser.js";
import { checkUtf8 } from "../../json/utf8-text.js";
import { unitsOf } from "../../json/validate.js";

/** Parsed in one piece: an object, or all lists of a name. */
const jsonUnitsMax = 64 * 1024;

const plainTypes: ReadonlySet<string> = new Set([
	"string",
	"number",
	"boolean",
]);

export class FormFields {
	readonly #texts: ReadonlyMap<string, readonly string[]>;

	/** @param texts by name, none of them empty. */
	constructor(texts: ReadonlyMap<string, readonly string[]>) {
		this.#texts = texts;
	}

	/** @throws CodedError 200002 where it was given several times. */
	text(name: string): string | undefined {
		const [text, ...others] = this.#texts.get(name) ?? [];
		if (others.length > 0)
			throw wrong(name, `was given ${others.length + 1} times`);
		return text;
	}

	oneOf<const T extends string>(
		name: string,
		values: readonly T[],
	): T | undefined {
		const text = this.text(name);
		if (text === undefined) return undefined;
		const found = values.find((it) => it === text);
		if (found !== undefined) return found;
		throw mustBe(name, `one of ${values.join(", ")}`, text);
	}

	boolean(name: string): boolean | undefined {
		const text = this.text(name)?.toLowerCase();
		if (text === undefined) return undefined;
		if (text === "true" || text === "1") return true;
		if (text === "false" || text === "0") return false;
		throw mustBe(name, "true or false", text);
	}

	number(name: string, minimum: number, maximum: number): number | undefined {
		const text = this.text(name);
		return text === undefined
			? undefined
			: numberWithin(name, text, minimum, maximum);
	}

	/** Texts of a list; numbers in JSON count as texts. @throws CodedError 200002, 200003 */
	list(name: string): readonly string[] {
		const bracketed = new RegExp(`^${name}\\[\\d*\\]$`);
		return [...this.#texts].flatMap(([key, texts]) => {
			if (key !== name && !bracketed.test(key)) return [];
			checkUtf8(name, texts);
			if (key !== name) return texts;
			checkJsonUnits(name, texts.filter(beginsAsList));
			return texts.flatMap((it) => listIn(name, it));
		});
	}

	/** An object's members, or the one text that may stand for it; undefined where there is neither. @throws CodedError 200002 */
	object(name: string): ReadonlyMap<string, string> | string | undefined {
		const prefix = `${name}[`;
		const members = [...this.#texts.keys()].flatMap(
			(key): [string, string][] =>
				key.startsWith(prefix) && key.endsWith("]")
					? [[key.slice(prefix.length, -1), this.text(key) ?? ""]]
					: [],
		);
		if (members.length > 0) return new Map(members);
		const text = this.text(name);
		return text?.trimStart().startsWith("{") ? membersIn(name, text) : text;
	}
}

/** @throws CodedError 200002 */
export function numberWithin(
	name: string,
	text: string,
	minimum: number,
	maximum: number,
): number {
	// as programs print numbers: 1e-05, .5
	const number =
		/^[+-]?(\d{1,15}\.?\d{0,40}|\.\d{1,40})(e[+-]?\d{1,3})?$/i.test(text)
			? Number(text)
			: Number.NaN;
	if (number >= minimum && number <= maximum) return number;
	throw mustBe(name, `a number from ${minimum} to ${maximum}`, text);
}

export function mustBe(param: string, what: string, got: string): CodedError {
	return wrong(param, `must be ${what}, got ${shown(got)}`);
}

export function wrong(param: string, why: string): CodedError {
	return new CodedError("200002", `${param} ${why}`, { param });
}

/** As JSON; anything else is one item of its list. */
export function beginsAsList(text: string): boolean {
	return text.trimStart().startsWith("[");
}

function listIn(name: string, text: string): string[] {
	if (!beginsAsList(text)) return [text];
	const list = parsed(name, text);
	if (!Array.isArray(list) || !list.every(isPlain))
		throw mustBe(name, "a list of texts", text);
	return list.map(String);
}

function membersIn(name: string, text: string): ReadonlyMap<string, string> {
	checkJsonUnits(name, [text]);
	const object = parsed(name, text) as Record<string, unknown>;
	return new Map(
		Object.entries(object).flatMap(([key, value]): [string, string][] =>
			isPlain(value) ? [[key, String(value)]] : [],
		),
	);
}

function isPlain(value: unknown): value is string | number | boolean {
	return plainTypes.has(typeof value);
}

/** @throws CodedError 200002 */
function checkJsonUnits(name: string, texts: readonly string[]): void {
	if (unitsOf(texts) > jsonUnitsMax)
		throw wrong(name, `must be at most ${jsonUnitsMax} characters of JSON`);
}

function parsed(name: string, text: string): unknown {
	try {
		return jsonOf(text);
	} catch {
		throw mustBe(name, "valid JSON", text);
	}
}
