/** The frames of one connection, one by one. Long data of a frame is parsed in slices: until that is done, no other frame is read. */
import { finishInSlices } from "../../event-loop/slices.js";
import { parsingJson } from "../../json/json-parser.js";
import type { Frame } from "./frame.js";
import {
	checkedObject,
	FrameDecoder,
	FrameError,
	objectOf,
	type WholeFrame,
} from "./frame-decoder.js";

export interface FrameListener {
	/** The frame whose data was long. */
	onParsed(frame: Frame): void;
	/** Instead of it. */
	onBadFrame(error: FrameError): void;
	/** After either: the next frame can be read. */
	onReady(): void;
}

/** Longer data is parsed in slices, while the connection waits. */
const blockUnitsAtOnce = 16 * 1024;

export class FrameReader {
	readonly #decoder = new FrameDecoder();
	readonly #listener: FrameListener;
	/** Ends the parsing of what nobody reads. */
	readonly #end = new AbortController();
	/** Of the frame whose data is being parsed. */
	#parsingBytes = 0;

	constructor(listener: FrameListener) {
		this.#listener = listener;
	}

	/** Bytes that came and are not decoded, or not parsed. */
	get heldBytes(): number {
		return this.#decoder.heldBytes + this.#parsingBytes;
	}

	/** A frame's data is being parsed. */
	get isParsing(): boolean {
		return this.#parsingBytes > 0;
	}

	/** @param bytes kept until they are decoded. */
	accept(bytes: Uint8Array): void {
		this.#decoder.accept(bytes);
	}

	/** Nothing more is read, and the listener is not called any more. */
	end(): void {
		this.#end.abort();
	}

	/** @returns undefined where more bytes are needed, or its data is being parsed. @throws FrameError */
	next(): Frame | undefined {
		const whole = this.#decoder.next();
		if (!whole) return undefined;
		const { type, inline: data, block, payload } = whole;
		if (block === undefined) return { type, data, payload };
		if (block.length > blockUnitsAtOnce) {
			void this.#parseLong(whole, block);
			return undefined;
		}
		return merged(whole, objectOf(block, "the data of an event"));
	}

	async #parseLong(whole: WholeFrame, block: string): Promise<void> {
		const { signal } = this.#end;
		this.#parsingBytes = whole.bytes;
		try {
			const facts = { units: block.length, signal };
			const value = await finishInSlices(parsingJson(block), facts);
			signal.throwIfAborted();
			this.#listener.onParsed(merged(whole, checkedObject(value)));
		} catch {
			if (signal.aborted) return;
			this.#listener.onBadFrame(
				new FrameError("the data of an event is not JSON", false),
			);
		}
		this.#parsingBytes = 0;
		this.#listener.onReady();
	}
}

function merged(
	{ type, inline, payload }: WholeFrame,
	block: Readonly<Record<string, unknown>>,
): Frame {
	return { type, data: { ...inline, ...block }, payload };
}
