/**
 * The files of the console, made by scripts/bundles/console.ts: compressed once at build, held in memory, named by their content. Serving one is a look-up and
 * a write.
 */
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { onePiece, takesGzip } from "../constant-document.js";
import { withHeaders } from "../envelope.js";
import type { ApiRequest, ApiResponse } from "../exchange.js";

/** As it is on the disk and in the executable. */
export interface ConsoleBundle {
	/** Of `index.html` and all that it loads, by name. */
	readonly files: Readonly<
		Record<string, { readonly type: string; readonly gzip: string }>
	>;
}

interface Asset {
	readonly type: string;
	readonly gzip: Buffer;
	/** Made for the first client that takes nothing else. */
	plain?: Promise<Buffer>;
}

export const indexName = "index.html";
const aYear = "public, max-age=31536000, immutable";

export class ConsoleAssets {
	readonly #assets: ReadonlyMap<string, Asset>;

	constructor({ files }: ConsoleBundle) {
		this.#assets = new Map(
			Object.entries(files).map(([name, { type, gzip }]) => [
				name,
				{ type, gzip: Buffer.from(gzip, "base64") },
			]),
		);
	}

	/** @returns undefined where there is no such file. */
	async answer(
		name: string,
		request: Pick<ApiRequest, "header">,
	): Promise<ApiResponse | undefined> {
		const asset = this.#assets.get(name);
		if (!asset) return undefined;
		const isZipped = takesGzip(request);
		const bytes = isZipped ? asset.gzip : await plainOf(asset);
		const answer: ApiResponse = {
			http: 200,
			headers: {
				"Content-Type": asset.type,
				"Cache-Control": name === indexName ? "no-store" : aYear,
				Vary: "Accept-Encoding",
				"X-Content-Type-Options": "nosniff",
				"Cross-Origin-Resource-Policy": "same-origin",
			},
			body: { pieces: () => onePiece(bytes), bytes: bytes.length },
		};
		return isZipped
			? withHeaders(answer, { "Content-Encoding": "gzip" })
			: answer;
	}
}

function plainOf(asset: Asset): Promise<Buffer> {
	asset.plain ??= promisify(gunzip)(asset.gzip);
	return asset.plain;
}
