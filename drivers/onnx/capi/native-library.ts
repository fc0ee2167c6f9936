/** Path of the library built from native/: beside its sources in a checkout; an executable contains it (scripts/executable/bundle-plugin.ts). */
import { arch } from "node:os";
import { fileURLToPath } from "node:url";

/** From build/drivers/onnx/capi. */
const folder = "../../../../drivers/onnx/capi/native";

export function nativeLibraryPath(): string {
	return fileURLToPath(
		new URL(`${folder}/linux-${arch()}.so`, import.meta.url),
	);
}
