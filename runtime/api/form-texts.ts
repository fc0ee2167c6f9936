/** The fields of a form that hold text, in memory and so bounded, and the limits of a form with them and one file. */
import { CodedError } from "../errors.js";

/** All texts together; a hundred hotwords are 10 kB. */
const textBytesMax = 1024 * 1024;
/** Names, boundaries and headers of the parts. */
const framingBytes = 256 * 1024;

/** @param fileBytesMax of the file in the field `fileField` */
export function formLimits(fileBytesMax: number, fileField: string) {
	return {
		bodyBytesMax: fileBytesMax + textBytesMax + framingBytes,
		fieldBytesMax: textBytesMax,
		fileField,
	};
}

export class FormTexts {
	readonly #values = new Map<string, string[]>();
	#bytes = 0;

	/** Without the fields whose text is empty. */
	get values(): ReadonlyMap<string, readonly string[]> {
		return this.#values;
	}

	/** @throws CodedError 200004 */
	add(name: string, text: string): void {
		this.#bytes += Buffer.byteLength(text) + Buffer.byteLength(name);
		if (this.#bytes > textBytesMax)
			throw new CodedError(
				"200004",
				`the fields of the form must be at most ${textBytesMax} bytes together`,
			);
		if (name === "" || text === "") return; // empty is absent
		const known = this.#values.get(name);
		if (known) known.push(text);
		else this.#values.set(name, [text]);
	}
}
