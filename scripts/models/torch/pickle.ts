/**
 * Reads the part of Python's pickle format (protocol 2) in which PyTorch writes its checkpoints. Nothing in the file is ever run: a name of Python's is a
 * name, and the few calls that may stand in a checkpoint are answered by whoever asks for the reading; any other instruction is refused.
 * Dictionaries become `Map`s, tuples and lists arrays.
 */
import { badSource } from "../../../runtime/models/convert/weights.js";

export type Pickled =
	| null
	| boolean
	| number
	| string
	| Pickled[]
	| Map<Pickled, Pickled>
	| PythonName
	| object;

/** A function or class of Python's, by its name alone. */
export class PythonName {
	constructor(
		readonly module: string,
		readonly name: string,
	) {}
}

export interface PickleAnswers {
	/** What the call gives. @throws SourceError where it is not known. */
	call(callee: PythonName, parameters: readonly Pickled[]): Pickled;
	/** What lies outside the pickle under this id. */
	persistent(id: Pickled): Pickled;
}

/** An instruction that leaves nothing on the stack. */
const nothing = Symbol("nothing");
const itemsMax = 1_000_000;

/** @throws SourceError when it is damaged, or holds more than a checkpoint does. */
export function readPickle(bytes: Buffer, answers: PickleAnswers): Pickled {
	return new PickleReader(bytes, answers).read();
}

class PickleReader {
	readonly #bytes: Buffer;
	readonly #answers: PickleAnswers;
	readonly #memo = new Map<number, Pickled>();
	#stack: Pickled[] = [];
	/** What stood below each mark. */
	readonly #below: Pickled[][] = [];
	#at = 0;

	constructor(bytes: Buffer, answers: PickleAnswers) {
		this.#bytes = bytes;
		this.#answers = answers;
	}

	read(): Pickled {
		for (;;) {
			const op = String.fromCharCode(this.#take(1).readUInt8());
			if (op === ".") return this.#pop();
			const value = this.#step(op);
			if (value !== nothing) this.#stack.push(value);
			if (this.#stack.length + this.#memo.size > itemsMax)
				throw damaged("holds too many items");
		}
	}

	/** @returns what goes on the stack. */
	#step(op: string): Pickled | typeof nothing {
		switch (op) {
			case "\x80": // PROTO
				if (this.#take(1).readUInt8() !== 2)
					throw damaged("is of another protocol than 2");
				return nothing;
			case "}":
				return new Map();
			case "]":
			case ")":
				return [];
			case "N":
				return null;
			case "\x88":
				return true;
			case "\x89":
				return false;
			case "K":
				return this.#take(1).readUInt8();
			case "M":
				return this.#take(2).readUInt16LE();
			case "J":
				return this.#take(4).readInt32LE();
			case "G":
				return this.#take(8).readDoubleBE();
			case "X":
				return this.#text();
			case "c":
				return new PythonName(this.#line(), this.#line());
			case "q":
				return this.#remember(this.#take(1).readUInt8());
			case "r":
				return this.#remember(this.#take(4).readUInt32LE());
			case "h":
				return this.#recall(this.#take(1).readUInt8());
			case "j":
				return this.#recall(this.#take(4).readUInt32LE());
			case "(":
				this.#below.push(this.#stack);
				this.#stack = [];
				return nothing;
			default:
				return this.#gather(op);
		}
	}

	/** What takes from the stack. */
	#gather(op: string): Pickled | typeof nothing {
		switch (op) {
			case "\x85":
				return this.#popMany(1);
			case "\x86":
				return this.#popMany(2);
			case "\x87":
				return this.#popMany(3);
			case "t":
				return this.#toMark();
			case "e":
				return this.#append(this.#toMark());
			case "s":
				return this.#setItems(this.#popMany(2));
			case "u":
				return this.#setItems(this.#toMark());
			case "Q":
				return this.#answers.persistent(this.#pop());
			case "R":
				return this.#call();
			case "b":
				this.#pop(); // a state that no checkpoint needs
				return nothing;
			default:
				throw damaged(
					`has the instruction 0x${op.charCodeAt(0).toString(16)}, which no checkpoint needs`,
				);
		}
	}

	#call(): Pickled {
		const [callee, parameters] = this.#popMany(2);
		if (!(callee instanceof PythonName) || !Array.isArray(parameters))
			throw damaged("calls something that is no function");
		return this.#answers.call(callee, parameters);
	}

	#append(items: Pickled[]): typeof nothing {
		const list = this.#stack.at(-1);
		if (!Array.isArray(list)) throw damaged("appends to something else");
		list.push(...items);
		return nothing;
	}

	#setItems(items: Pickled[]): typeof nothing {
		const map = this.#stack.at(-1);
		if (!(map instanceof Map) || items.length % 2 === 1)
			throw damaged("sets an item of something else");
		for (let i = 0; i < items.length; i += 2)
			map.set(items[i] as Pickled, items[i + 1] as Pickled);
		return nothing;
	}

	#remember(index: number): typeof nothing {
		const top = this.#stack.at(-1);
		if (top === undefined) throw damaged("remembers nothing");
		this.#memo.set(index, top);
		return nothing;
	}

	#recall(index: number): Pickled {
		const value = this.#memo.get(index);
		if (value === undefined) throw damaged("recalls what was never there");
		return value;
	}

	#pop(): Pickled {
		return this.#popMany(1)[0] as Pickled;
	}

	#popMany(count: number): Pickled[] {
		if (this.#stack.length < count) throw damaged("takes from an empty stack");
		return this.#stack.splice(-count);
	}

	#toMark(): Pickled[] {
		const below = this.#below.pop();
		if (!below) throw damaged("misses a mark");
		const above = this.#stack;
		this.#stack = below;
		return above;
	}

	#text(): string {
		return this.#take(this.#take(4).readUInt32LE()).toString("utf8");
	}

	#line(): string {
		const end = this.#bytes.indexOf(0x0a, this.#at);
		if (end < 0) throw damaged("ends in a name");
		const line = this.#take(end - this.#at).toString("utf8");
		this.#take(1);
		return line;
	}

	#take(count: number): Buffer {
		const end = this.#at + count;
		if (end > this.#bytes.length) throw damaged("ends too early");
		const taken = this.#bytes.subarray(this.#at, end);
		this.#at = end;
		return taken;
	}
}

function damaged(what: string) {
	return badSource(`the checkpoint's data.pkl ${what}`);
}
