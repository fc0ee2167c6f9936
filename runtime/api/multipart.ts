/**
 * A form (`multipart/form-data`) of texts, read whole within its limit. The only file that knows the parser.
 */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Busboy } from "@fastify/busboy";
import { CodedError } from "../errors.js";
import { type ApiRequest, ClientGone } from "./exchange.js";

/** Each costs the parser 0.1 ms. */
const partsMax = 1000;
/** Parsed in one go: as many small parts as fit in it take about 10 ms. */
const pieceBytes = 8 * 1024;

export interface FormText {
	readonly name: string;
	readonly text: string;
	/** It came as a file. */
	readonly isFile: boolean;
}

export function isForm(request: ApiRequest): boolean {
	return /^multipart\/form-data\b/i.test(request.header("content-type") ?? "");
}

/** @throws CodedError 200003 for what is no form or no UTF-8, 200004 for too much of it. */
export async function readFormTexts(
	request: ApiRequest,
	bytesMax: number,
): Promise<FormText[]> {
	const parser = openParser(request, bytesMax);
	const parts: { name: string; isFile: boolean; texts: string[] }[] = [];
	let problem: string | undefined;
	parser.on("field", (name, value, nameCut, valueCut) => {
		if (nameCut || valueCut) problem = "a field is too long";
		parts.push({ name, isFile: false, texts: [value] });
	});
	parser.on("file", (name, stream) => {
		const texts: string[] = [];
		parts.push({ name, isFile: true, texts });
		// as it comes: a big file in one piece would hold the event loop
		const decoder = new TextDecoder("utf-8", { fatal: true });
		const decode = (chunk?: Buffer) => {
			try {
				texts.push(decoder.decode(chunk, { stream: chunk !== undefined }));
			} catch {
				problem = `${name.slice(0, 40)} must be text in UTF-8`;
			}
		};
		stream.on("data", decode);
		stream.on("end", () => decode());
		stream.on("error", () => {}); // the form's own error tells
	});
	parser.on("partsLimit", () => {
		problem = `there are more than ${partsMax} fields`;
	});
	try {
		await pipeline(Readable.from(pieces(request.body(bytesMax))), parser);
	} catch (thrown) {
		if (thrown instanceof CodedError || thrown instanceof ClientGone)
			throw thrown;
		problem ??= "it ends early or is cut up wrongly";
	}
	if (problem !== undefined)
		throw new CodedError("200003", `form can't be read: ${problem}`);
	return parts.map(({ name, isFile, texts }) => ({
		name,
		isFile,
		text: texts.join(""),
	}));
}

async function* pieces(
	body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
	for await (const chunk of body)
		for (let at = 0; at < chunk.length; at += pieceBytes) {
			yield chunk.subarray(at, at + pieceBytes);
			await nextTurn();
		}
}

function openParser(request: ApiRequest, bytesMax: number) {
	try {
		return new Busboy({
			headers: { "content-type": request.header("content-type") ?? "" },
			limits: { parts: partsMax, fieldSize: bytesMax, headerPairs: 20 },
		});
	} catch {
		throw new CodedError(
			"200003",
			"form can't be read: Content-Type names no boundary",
		);
	}
}
