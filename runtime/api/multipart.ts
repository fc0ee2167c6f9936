/** A form (`multipart/form-data`), parsed as it arrives: texts are kept, files are streamed at the pace of their reader. The only file that uses the parser. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyConfig } from "@fastify/busboy";
import { CodedError } from "../errors.js";
import { sharedTurn } from "../event-loop/slices.js";
import { type ApiRequest, ClientGone } from "./exchange.js";

/** Each part costs the parser 0.1 ms. */
const partsMax = 1000;
/** Parsed at once: the small parts that fit in it take about 10 ms. */
const pieceBytes = 8 * 1024;
const nameCharactersMax = 200;
/** From the last byte read to the end of the last part. The parser is known to wait for ever on some malformed forms. */
const endMsMax = 10_000;
/** Of 1 to 70 characters (RFC 2046); on an empty boundary the parser never ends. */
const boundaryPattern = /;\s*boundary=("[^"]{1,70}"|[^\s;"]{1,70})\s*(;|$)/i;

export interface FormText {
	readonly name: string;
	readonly text: string;
	/** It was sent as a file. */
	readonly isFile: boolean;
	/** A file that has a name: one without is a file field that was left empty. */
	readonly isNamed: boolean;
}

export interface FormFile {
	readonly name: string;
	/** Name given by the client, without folders; undefined where there is none. */
	readonly fileName: string | undefined;
	/** Must be read to its end, or left with an error. Rejects when the form is truncated. */
	readonly bytes: AsyncIterable<Uint8Array>;
}

export interface FormLimits {
	readonly bodyBytesMax: number;
	/** Of one text. */
	readonly fieldBytesMax: number;
	/** A part of this name is a file, with or without a file name. */
	readonly fileField?: string;
	/** Treats every part as a file: the parser would collect and decode a long text in one piece. */
	readonly areAllFiles?: boolean;
}

export function isForm(request: ApiRequest): boolean {
	return /^multipart\/form-data\b/i.test(request.header("content-type") ?? "");
}

/** @throws CodedError 200003 for an invalid form or invalid UTF-8, 200004 for a body over the limit. */
export async function readFormTexts(
	request: ApiRequest,
	bytesMax: number,
): Promise<FormText[]> {
	const limits = {
		bodyBytesMax: bytesMax,
		fieldBytesMax: bytesMax,
		areAllFiles: true,
	};
	const parts: (Omit<FormText, "text"> & { texts: string[] })[] = [];
	await readForm(request, limits, {
		onText: () => {},
		onFile: async ({ name, fileName, bytes }) => {
			const texts: string[] = [];
			parts.push({
				name,
				isFile: fileName !== undefined,
				isNamed: Boolean(fileName),
				texts,
			});
			// as it arrives: decoding a large file at once would block the event loop
			const decoder = new TextDecoder("utf-8", { fatal: true });
			const decode = (chunk?: Uint8Array) => {
				try {
					texts.push(decoder.decode(chunk, { stream: chunk !== undefined }));
				} catch {
					throw unreadable(`${name.slice(0, 40)} must be text in UTF-8`);
				}
			};
			for await (const chunk of bytes) decode(chunk);
			decode();
		},
	});
	return parts.map(({ name, isFile, isNamed, texts }) => ({
		name,
		isFile,
		isNamed,
		text: texts.join(""),
	}));
}

export interface FormReader {
	onText(name: string, text: string): void;
	/** An error that it throws ends the parsing and is rethrown. */
	onFile(file: FormFile): Promise<void>;
}

/** Reads parts in any order. Resolves when the reader has taken all of them. @throws CodedError 200003, 200004; whatever the reader throws */
export async function readForm(
	request: ApiRequest,
	limits: FormLimits,
	reader: FormReader,
): Promise<void> {
	const parser = openParser(request, limits);
	const abort = new AbortController();
	let failure: unknown;
	const fail = (thrown: unknown) => {
		failure ??= thrown;
		abort.abort();
	};
	const files = handOutParts(parser, limits, reader, fail);
	const broken = () =>
		unreadable("it is truncated or its parts are not delimited correctly");
	let timer: NodeJS.Timeout | undefined;
	let isOver = false;
	const onEnd = () => {
		// a form that failed may still reach the end of its body
		if (!isOver) timer = setTimeout(() => fail(broken()), endMsMax);
	};
	try {
		const body = pieces(request.body(limits.bodyBytesMax), onEnd);
		await pipeline(Readable.from(body), parser, { signal: abort.signal });
	} catch (thrown) {
		failure ??=
			thrown instanceof CodedError || thrown instanceof ClientGone
				? thrown
				: broken();
		for (const { stream } of files) stream.destroy(failure as Error);
	} finally {
		isOver = true;
		clearTimeout(timer);
	}
	await Promise.all(files.map(({ taken }) => taken));
	if (failure !== undefined) throw failure;
}

interface FileInReading {
	readonly stream: Readable;
	/** Settles when the reader is done with it; never rejects. */
	readonly taken: Promise<void>;
}

/** Gives the reader each part that the parser finds. @param fail is given what ends the parsing. @returns the files among them; grows. */
function handOutParts(
	parser: ReturnType<typeof openParser>,
	{ fieldBytesMax }: FormLimits,
	reader: FormReader,
	fail: (thrown: unknown) => void,
): readonly FileInReading[] {
	const files: FileInReading[] = [];
	const attempt = (act: () => void) => {
		try {
			act();
		} catch (thrown) {
			fail(thrown);
		}
	};
	parser.on("field", (name, text, nameCut, textCut) =>
		attempt(() => {
			checkName(name, nameCut);
			if (textCut) throw tooLong(name, fieldBytesMax);
			reader.onText(name ?? "", text);
		}),
	);
	parser.on("file", (name, stream, fileName: string | undefined) => {
		stream.on("error", () => {}); // its reader gets the error
		attempt(() => {
			checkName(name, false);
			const file = {
				name: name ?? "",
				// as browsers, curl and urllib3 write a quotation mark in a name
				fileName: fileName?.replaceAll("%22", '"'),
				bytes: stream,
			};
			files.push({ stream, taken: reader.onFile(file).catch(fail) });
		});
	});
	parser.on("partsLimit", () =>
		fail(unreadable(`there are more than ${partsMax} fields`)),
	);
	return files;
}

async function* pieces(
	body: AsyncIterable<Uint8Array>,
	onEnd: () => void,
): AsyncGenerator<Uint8Array> {
	for await (const chunk of body)
		for (let at = 0; at < chunk.length; at += pieceBytes) {
			// a turn of the event loop for each piece would cost a small file 4 ms
			if (sharedTurn.isOver)
				await sharedTurn.wait(sharedTurn.place(pieceBytes));
			yield chunk.subarray(at, at + pieceBytes);
		}
	onEnd();
}

function openParser(
	request: ApiRequest,
	{ fieldBytesMax, fileField, areAllFiles = false }: FormLimits,
) {
	const contentType = request.header("content-type") ?? "";
	if (!boundaryPattern.test(contentType))
		throw unreadable("Content-Type has no boundary");
	const config: BusboyConfig = {
		headers: { "content-type": contentType },
		limits: { parts: partsMax, fieldSize: fieldBytesMax, headerPairs: 20 },
		// not by its type: some clients call each value that they have as bytes application/octet-stream
		isPartAFile: (name, _contentType, fileName) =>
			areAllFiles ||
			fileName !== undefined ||
			(fileField !== undefined && name === fileField),
	};
	try {
		return new Busboy(config);
	} catch {
		throw unreadable("Content-Type has no boundary");
	}
}

function checkName(name: string | undefined, isCut: boolean): void {
	if (isCut || (name?.length ?? 0) > nameCharactersMax)
		throw unreadable(
			`a field's name is longer than ${nameCharactersMax} characters`,
		);
}

function unreadable(why: string): CodedError {
	return new CodedError("200003", `form can't be read: ${why}`);
}

function tooLong(name: string, bytesMax: number): CodedError {
	return new CodedError("200004", `${name} must be at most ${bytesMax} bytes`);
}
