/** A document that stays as it is while the program runs: made once, for the first client, and compressed once, for the first that takes it compressed. */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { ApiRequest, ApiResponse } from "./exchange.js";

const zipped = promisify(gzip);

export class ConstantDocument {
	readonly #type: string;
	readonly #make: () => Promise<string>;
	#plain: Promise<string> | undefined;
	#gzip: Promise<Uint8Array> | undefined;

	/** @param type of its content. @param make called once. */
	constructor(type: string, make: () => Promise<string>) {
		this.#type = type;
		this.#make = make;
	}

	async answer(request: Pick<ApiRequest, "header">): Promise<ApiResponse> {
		this.#plain ??= this.#make();
		const plain = await this.#plain;
		const headers = { "Content-Type": this.#type, Vary: "Accept-Encoding" };
		if (!takesGzip(request)) return { http: 200, headers, body: plain };
		this.#gzip ??= zipped(plain); // on a thread of its own
		const bytes = await this.#gzip;
		return {
			http: 200,
			headers: { ...headers, "Content-Encoding": "gzip" },
			body: { pieces: () => onePiece(bytes), bytes: bytes.length },
		};
	}
}

export function takesGzip(request: Pick<ApiRequest, "header">): boolean {
	const header = request.header("accept-encoding") ?? "";
	return header
		.split(",")
		.some((it) => /^\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i.test(it));
}

export async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}
