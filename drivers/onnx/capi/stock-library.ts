/** Path of the included library: the CPU build in the npm package; an executable unpacks it (scripts/executable/bundle-plugin.ts). */
import { createRequire } from "node:module";
import { arch } from "node:os";
import { dirname, join } from "node:path";

export function stockLibraryPath(): string {
	const main = createRequire(import.meta.url).resolve("onnxruntime-node");
	const folder = join(dirname(main), "..", "bin/napi-v6/linux", arch());
	return join(folder, "libonnxruntime.so.1");
}
