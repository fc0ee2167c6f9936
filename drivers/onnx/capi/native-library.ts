/** Where the library of native/ lies: beside its sources in a checkout; an executable brings it along (scripts/executable/bundle-plugin.ts). */
import { arch } from "node:os";
import { fileURLToPath } from "node:url";

/** From build/drivers/onnx/capi. */
const folder = "../../../../drivers/onnx/capi/native";

export function nativeLibraryPath(): string {
	return fileURLToPath(
		new URL(`${folder}/linux-${arch()}.so`, import.meta.url),
	);
}
