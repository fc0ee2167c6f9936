/** A form with a file and fields in any order: the file is kept (kept-file.ts), the fields are in memory. Limits apply while reading; a form that fails leaves nothing. */
import { CodedError } from "../errors.js";
import type { Owner } from "../owner.js";
import { checkFileSize } from "../tasks/intake/limits.js";
import { shownName } from "../tasks/intake/shown-name.js";
import type { UploadPlaces } from "../tasks/intake/upload-places.js";
import { withCountedBody } from "./counted-body.js";
import type { ApiRequest } from "./exchange.js";
import { FormTexts, formLimits } from "./form-texts.js";
import type { FileKeep, KeptFile } from "./kept-file.js";
import { type FormFile, isForm, readForm } from "./multipart.js";

const fileField = "file";

export interface KeptForm {
	/** Without the fields whose text is empty. */
	readonly texts: ReadonlyMap<string, readonly string[]>;
	readonly file: KeptFile;
	/** For display. */
	readonly fileName: string;
}

export interface KeptFormParts {
	readonly fileKeep: FileKeep;
	/** Bounds the number of uploads at the same time; absent: no bound. */
	readonly places?: UploadPlaces;
	readonly fileBytesMax: number;
}

/** The caller must release the file. @throws CodedError 100004, 200001 to 200004, 200007; ClientGone */
export async function readKeptForm(
	request: ApiRequest,
	sharer: Owner,
	{ fileKeep, places, fileBytesMax }: KeptFormParts,
): Promise<KeptForm> {
	if (!isForm(request) && request.contentLength !== 0)
		throw new CodedError("200003", "body must be multipart/form-data");
	if (!isForm(request)) throw fileMissing();
	const place = places?.take(sharer);
	const reading = new FormReading(fileKeep.begin(sharer), fileBytesMax);
	try {
		const counted = withCountedBody(request, (bytes) => place?.add(bytes));
		await readForm(counted, formLimits(fileBytesMax, fileField), reading);
		return reading.form;
	} catch (thrown) {
		await reading.discard();
		throw thrown;
	} finally {
		place?.leave();
	}
}

class FormReading {
	readonly #file: KeptFile;
	readonly #fileBytesMax: number;
	readonly #texts = new FormTexts();
	#fileName: string | undefined;
	#hasFile = false;

	constructor(file: KeptFile, fileBytesMax: number) {
		this.#file = file;
		this.#fileBytesMax = fileBytesMax;
	}

	/** @throws CodedError 200001, 200007 */
	get form(): KeptForm {
		if (!this.#hasFile) throw fileMissing();
		if (this.#file.bytes === 0)
			throw new CodedError("200007", "file is empty", { param: fileField });
		const fileName = shownName(this.#fileName);
		return { texts: this.#texts.values, file: this.#file, fileName };
	}

	discard(): Promise<void> {
		return this.#file.release();
	}

	onText(name: string, text: string): void {
		this.#texts.add(name, text);
	}

	async onFile({ name, fileName, bytes }: FormFile): Promise<void> {
		if (name !== fileField) {
			for await (const _ of bytes); // unknown: ignored like any other field
			return;
		}
		if (this.#hasFile)
			throw new CodedError("200002", "file is given more than once", {
				param: fileField,
			});
		this.#hasFile = true;
		this.#fileName = fileName;
		for await (const chunk of bytes) {
			checkFileSize(this.#file.bytes + chunk.byteLength, this.#fileBytesMax);
			await this.#file.append(chunk);
		}
	}
}

function fileMissing(): CodedError {
	return new CodedError("200001", "file is required", { param: fileField });
}
