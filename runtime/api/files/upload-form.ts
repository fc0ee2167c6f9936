/**
 * The form of an upload as it arrives, its fields in any order: texts go to memory, the file to the shelf. Limits apply while reading; a form that fails leaves
 * nothing behind.
 */
import { CodedError } from "../../errors.js";
import type { AudioDraft, AudioShelf } from "../../store/audio-shelf.js";
import type { Variant } from "../../tasks/file-options.js";
import type { UploadedFile } from "../../tasks/intake/fetched-file.js";
import {
	checkFileSize,
	type FileSizes,
	fileBytesMax,
} from "../../tasks/intake/limits.js";
import { shownName } from "../../tasks/intake/shown-name.js";
import type { ApiRequest } from "../exchange.js";
import { FormTexts, formLimits } from "../form-texts.js";
import { type FormFile, isForm, readForm } from "../multipart.js";

export interface Upload {
	/** Without the fields whose text is empty. */
	readonly texts: ReadonlyMap<string, readonly string[]>;
	readonly file: UploadedFile | undefined;
}

export interface UploadParts {
	readonly shelf: Pick<AudioShelf, "begin">;
	readonly sizes: FileSizes;
}

/** The caller owns the file and must commit or discard it. @throws CodedError 100004, 200001 to 200004; ClientGone */
export async function readUpload(
	request: ApiRequest,
	variant: Variant,
	parts: UploadParts,
): Promise<Upload> {
	if (!isForm(request)) throw notAForm(request);
	const reading = new UploadReading(request, variant, parts);
	try {
		await readForm(request, reading.limits, reading);
		return reading.upload;
	} catch (thrown) {
		await reading.discard();
		throw thrown;
	}
}

class UploadReading {
	readonly #request: ApiRequest;
	readonly #variant: Variant;
	readonly #parts: UploadParts;
	readonly #texts = new FormTexts();
	#begun = false;
	#file: UploadedFile | undefined;

	constructor(request: ApiRequest, variant: Variant, parts: UploadParts) {
		this.#request = request;
		this.#variant = variant;
		this.#parts = parts;
	}

	get limits() {
		const file = fileBytesMax(this.#parts.sizes, this.#variant, undefined);
		return formLimits(file, "file");
	}

	get upload(): Upload {
		return { texts: this.#texts.values, file: this.#file };
	}

	async discard(): Promise<void> {
		await this.#file?.draft.discard();
	}

	onText(name: string, text: string): void {
		this.#texts.add(name, text);
	}

	async onFile({ name, fileName, bytes }: FormFile): Promise<void> {
		if (name !== "file") {
			for await (const _ of bytes); // unknown: ignored like any other field
			return;
		}
		let draft: AudioDraft | undefined;
		for await (const chunk of bytes) {
			draft ??= await this.#begin(fileName);
			this.#checkSize(draft.bytes + chunk.byteLength);
			await draft.append(chunk);
		}
		// a file field without a name and without bytes was left empty
		if (!draft && fileName) await this.#begin(fileName);
	}

	async #begin(fileName: string | undefined): Promise<AudioDraft> {
		// before anything is awaited: the next part may be here already
		if (this.#begun)
			throw new CodedError("200002", "file is given more than once");
		this.#begun = true;
		const expected = this.#request.contentLength ?? 0;
		const draft = await this.#parts.shelf.begin(expected);
		this.#file = { draft, name: shownName(fileName) };
		return draft;
	}

	/** The limit depends on `format` (video or not), which may come after the file. */
	#checkSize(bytes: number): void {
		const format = this.#texts.values.get("format")?.[0];
		checkFileSize(
			bytes,
			fileBytesMax(this.#parts.sizes, this.#variant, format),
		);
	}
}

/** An empty body means that the file was forgotten; another content type gets a message with the expected one. */
function notAForm(request: ApiRequest): CodedError {
	return request.contentLength === 0
		? fileMissing()
		: new CodedError("200003", "body must be multipart/form-data");
}

export function fileMissing(): CodedError {
	return new CodedError("200001", "file Parameter Missing"); // the interface's own words
}
