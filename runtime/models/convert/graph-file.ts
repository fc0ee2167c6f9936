/** Writes a graph to disk piece by piece and computes the checksum meanwhile; it is synced before it counts as written. */
import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Manifest } from "../manifest.js";
import { modelParts, weightBytes } from "./onnx-file.js";
import type { Graph } from "./onnx-format.js";

export type WriteOptions = {
	/** Above this size the weights are in a separate file. */
	readonly inlineBytesMax: number;
	readonly signal: AbortSignal | undefined;
	/** Bytes of weights written since the last call. */
	readonly onBytes: (bytes: number) => void;
};

/** @returns the manifest's entries for the written files. @throws when the signal aborts. */
export async function writeGraph(
	folder: string,
	file: string,
	graph: Graph,
	options: WriteOptions,
): Promise<Manifest["files"]> {
	const isLarge = weightBytes(graph) > options.inlineBytesMax;
	const weightsFile = isLarge ? `${file}.data` : undefined;
	const model = new HashedFile(join(folder, file));
	const weights = weightsFile
		? new HashedFile(join(folder, weightsFile))
		: undefined;
	try {
		for (const piece of modelParts(graph, weightsFile)) {
			(piece.file === "weights" ? weights : model)?.write(piece.bytes);
			if (piece.weightBytes === 0) continue;
			options.onBytes(piece.weightBytes);
			await setImmediate(); // lets an abort signal take effect
			options.signal?.throwIfAborted();
		}
		model.sync();
		weights?.sync();
	} finally {
		model.close();
		weights?.close();
	}
	return {
		[file]: model.entry(),
		...(weightsFile && weights && { [weightsFile]: weights.entry() }),
	};
}

/** A file whose checksum is computed while it is written. */
class HashedFile {
	readonly #file: number;
	readonly #hash = createHash("sha256");
	#bytes = 0;

	constructor(path: string) {
		this.#file = openSync(path, "wx");
	}

	write(bytes: Uint8Array): void {
		for (let done = 0; done < bytes.length; )
			done += writeSync(this.#file, bytes, done);
		this.#hash.update(bytes);
		this.#bytes += bytes.length;
	}

	entry() {
		return { sha256: this.#hash.digest("hex"), bytes: this.#bytes };
	}

	sync(): void {
		fsyncSync(this.#file);
	}

	close(): void {
		closeSync(this.#file);
	}
}
