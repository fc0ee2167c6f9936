/**
 * Partial text on a terminal: the last line is rewritten in place while it may change, and stays when it is final. On any other output only final text is
 * written, one per line.
 */

import { endThatFits, textColumns } from "../text/text-width.js";
import { printable } from "./table.js";

export interface Screen {
	readonly isTTY?: boolean;
	readonly columns?: number;
	write(text: string): unknown;
}

const dim = "\x1b[2m";
const plain = "\x1b[0m";
const eraseLine = "\r\x1b[2K";
const columnsUsual = 80;
/** With less room the text is unreadable: the meter is hidden. */
const textColumnsMin = 8;

export class LiveLines {
	readonly #screen: Screen;
	readonly #style: readonly [on: string, off: string];
	#shown = false;
	#partial = "";
	#meter = "";

	/** @param coloured dims text that may still change. */
	constructor(screen: Screen, coloured = true) {
		this.#screen = screen;
		this.#style = coloured ? [dim, plain] : ["", ""];
	}

	/** Text that may still change. */
	partial(text: string): void {
		this.#partial = text;
		this.#draw();
	}

	/** Shown before the partial text, and rewritten with it. */
	meter(text: string): void {
		if (text === this.#meter) return;
		this.#meter = text;
		this.#draw();
	}

	/** Text that stays. */
	final(text: string): void {
		this.clear();
		this.#screen.write(`${printable(text)}\n`);
	}

	/** Removes the text that may still change. */
	clear(): void {
		this.#partial = "";
		if (this.#shown) this.#screen.write(eraseLine);
		this.#shown = false;
	}

	#draw(): void {
		if (!this.#screen.isTTY) return;
		// the last column stays free: some terminals wrap when it is written
		const columnsMax = (this.#screen.columns || columnsUsual) - 1;
		const meterColumns = textColumns(this.#meter) + 1;
		const meter =
			this.#meter === "" || columnsMax - meterColumns < textColumnsMin
				? ""
				: `${this.#meter} `;
		const room = Math.max(0, columnsMax - textColumns(meter));
		const fits = endThatFits(printable(this.#partial), room);
		const [on, off] = this.#style;
		this.#screen.write(`${eraseLine}${meter}${on}${fits}${off}`);
		this.#shown = true;
	}
}
