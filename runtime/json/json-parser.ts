/**
 * JSON from outside, parsed piece by piece and within bounds. `JSON.parse` offers neither: 8 MiB block the event loop for half a second if they are plain
 * strings, and for more than one if they are nested or full of names.
 *
 * It accepts what `JSON.parse` accepts, with the same result (RFC 8259), except for what no honest client writes: nesting, names and lists beyond the bounds
 * below.
 */
import { atOnce, type Piecewise } from "../event-loop/piecewise.js";
import {
	emptyObject,
	type OpenObject,
	takeName,
	takeValue,
} from "./open-object.js";

const depthMax = 100;
/** Of one object. */
const namesMax = 1000;
/** Of one list. */
const itemsMax = 1_000_000;
/** Characters of a number. */
const literalUnitsMax = 1000;
/** Lists and objects in total. */
const containersMax = 100_000;
/** Of all objects together, beyond one for each four characters of the text: takes 8 bytes each, whether it is used or not (element-store.ts). */
const elementsMax = 50_000;
/** Parsed between two turns of the event loop: takes well under a millisecond. */
const unitsOfPiece = 16 * 1024;
/** A shorter slice is a copy; a longer one would keep the whole text in memory for as long as it lives. */
const copiedUnitsMax = 12;

const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openList = 0x5b;
const backslash = 0x5c;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Valid, but beyond a bound. Its message continues a sentence that begins with the name of the text: "is nested deeper than 100 levels". */
export class JsonBoundError extends Error {
	override readonly name = "JsonBoundError";
}

/** Parses at once, for short texts. @throws SyntaxError, JsonBoundError; neither quotes the text. */
export function jsonOf(text: string): unknown {
	return atOnce(parsingJson(text));
}

/** @throws SyntaxError, JsonBoundError */
export function* parsingJson(text: string): Piecewise<unknown> {
	const parser = new JsonParser(text);
	while (!parser.advance(unitsOfPiece)) yield;
	return parser.value;
}

type Container = unknown[] | OpenObject;

type Expected =
	| "value"
	| "value or end"
	| "name"
	| "name or end"
	| "colon"
	| "more or end"
	| "nothing";

class JsonParser {
	readonly #text: string;
	/** Containers that are open, outermost first. */
	readonly #open: Container[] = [];
	#expected: Expected = "value";
	#containers = 0;
	/** That there is room for in the objects. */
	#elements = 0;
	#at = 0;
	/** Position of the opening quote while a string is being read. */
	#stringFrom: number | undefined;
	/** The string has no escapes. */
	#isPlain = true;
	value: unknown;

	constructor(text: string) {
		this.#text = text;
	}

	/** Parses about this many units. @returns whether the value is complete. */
	advance(units: number): boolean {
		const until = this.#at + units;
		while (this.#at < until) {
			if (this.#stringFrom !== undefined) {
				if (!this.#endString(until)) return false;
				continue;
			}
			this.#skipSpace(until);
			if (this.#at === until) return false;
			if (this.#at < this.#text.length)
				this.#expected = this.#read(this.#text.charCodeAt(this.#at));
			else if (this.#expected === "nothing") return true;
			else throw invalid();
		}
		return false;
	}

	/** Reads what begins here. @returns what is expected next. */
	#read(unit: number): Expected {
		switch (this.#expected) {
			case "value":
				return this.#readValue(unit);
			case "value or end":
				return unit === closeList ? this.#close() : this.#readValue(unit);
			case "name":
				return this.#readName(unit);
			case "name or end":
				return unit === closeObject ? this.#close() : this.#readName(unit);
			case "colon":
				return this.#readColon(unit);
			case "more or end":
				return this.#readSeparator(unit);
			case "nothing":
				throw invalid();
		}
	}

	#readValue(unit: number): Expected {
		switch (unit) {
			case quote:
				return this.#beginString();
			case openList:
				return this.#begin([], "value or end");
			case openObject:
				return this.#begin(emptyObject(), "name or end");
			default:
				return this.#put(this.#readLiteral());
		}
	}

	#readName(unit: number): Expected {
		if (unit !== quote) throw invalid();
		return this.#beginString();
	}

	#putName(name: string): Expected {
		const object = this.#open.at(-1) as OpenObject;
		this.#elements += takeName(object, name);
		if (object.names > namesMax)
			throw new JsonBoundError(`has an object of more than ${namesMax} names`);
		if (this.#elements > elementsMax + this.#text.length / 4)
			throw new JsonBoundError(
				"has too many objects with numbers for names: begin the names with a letter, or send lists",
			);
		return "colon";
	}

	#readColon(unit: number): Expected {
		if (unit !== colon) throw invalid();
		this.#at++;
		return "value";
	}

	#readSeparator(unit: number): Expected {
		const isList = Array.isArray(this.#open.at(-1));
		if (unit === (isList ? closeList : closeObject)) return this.#close();
		if (unit !== comma) throw invalid();
		this.#at++;
		return isList ? "value" : "name";
	}

	#begin(container: Container, expected: Expected): Expected {
		if (this.#open.length === depthMax)
			throw new JsonBoundError(`is nested deeper than ${depthMax} levels`);
		if (++this.#containers > containersMax)
			throw new JsonBoundError(
				`has more than ${containersMax} lists and objects in it`,
			);
		this.#open.push(container);
		this.#at++;
		return expected;
	}

	#close(): Expected {
		const container = this.#open.pop() as Container;
		this.#at++;
		return this.#put(Array.isArray(container) ? container : container.object);
	}

	#put(value: unknown): Expected {
		const container = this.#open.at(-1);
		if (!container) {
			this.value = value;
			return "nothing";
		}
		if (!Array.isArray(container)) takeValue(container, value);
		else if (container.push(value) > itemsMax)
			throw new JsonBoundError(`has a list of more than ${itemsMax} items`);
		return "more or end";
	}

	#beginString(): Expected {
		this.#stringFrom = this.#at++;
		this.#isPlain = true;
		return this.#expected;
	}

	/** Continues a string. @returns whether it ended before `until`. */
	#endString(until: number): boolean {
		const text = this.#text;
		while (this.#at < until) {
			const unit = text.charCodeAt(this.#at++);
			if (unit === quote) {
				const whole = this.#wholeString();
				const isName = this.#expected.startsWith("name");
				this.#expected = isName ? this.#putName(whole) : this.#put(whole);
				return true;
			}
			if (unit >= space && unit !== backslash) continue;
			if (Number.isNaN(unit)) throw invalid(); // past the end
			this.#isPlain = false;
			if (unit === backslash) this.#at++;
		}
		return false;
	}

	#wholeString(): string {
		const from = this.#stringFrom as number;
		this.#stringFrom = undefined;
		const units = this.#at - from - 2;
		return this.#isPlain && units <= copiedUnitsMax
			? this.#text.slice(from + 1, this.#at - 1)
			: (parsed(this.#text.slice(from, this.#at)) as string);
	}

	/** Reads a number, true, false or null: as long as the characters match. */
	#readLiteral(): unknown {
		const from = this.#at;
		while (isOfLiteral(this.#text.charCodeAt(this.#at)))
			if (++this.#at - from > literalUnitsMax)
				throw new JsonBoundError(
					`has a number of more than ${literalUnitsMax} digits`,
				);
		return parsed(this.#text.slice(from, this.#at));
	}

	#skipSpace(until: number): void {
		while (this.#at < until && isSpace(this.#text.charCodeAt(this.#at)))
			this.#at++;
	}
}

function isSpace(unit: number): boolean {
	return (
		unit === space ||
		unit === tab ||
		unit === lineFeed ||
		unit === carriageReturn
	);
}

/** Characters of a number or of true, false and null; whether they are valid is checked when they are parsed. */
function isOfLiteral(unit: number): boolean {
	return (
		(unit >= 0x30 && unit <= 0x39) || // digits
		(unit >= 0x61 && unit <= 0x7a) || // letters
		unit === 0x45 || // E
		unit === 0x2b ||
		unit === 0x2d ||
		unit === 0x2e // + - .
	);
}

/** Parses a string or a literal. */
function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw invalid();
	}
}

function invalid(): SyntaxError {
	return new SyntaxError("not valid JSON");
}
