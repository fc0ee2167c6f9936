/**
 * Processors that this machine can't have, found without asking ONNX Runtime: its libraries and the Vulkan loader print errors of their own for each of them,
 * which look like faults on a machine that simply has no GPU.
 */
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Processor } from "../../runtime/models/inference-port.js";
import { stockLibraryPath } from "./capi/stock-library.js";

/** Where the Vulkan loader looks for descriptions of drivers. */
const driverFolders = [
	"/usr/share/vulkan/icd.d",
	"/usr/local/share/vulkan/icd.d",
	"/etc/vulkan/icd.d",
	join(homedir(), ".local/share/vulkan/icd.d"),
];
/** Variables that name drivers instead, or as well. */
const driverVariables = [
	"VK_ICD_FILENAMES",
	"VK_DRIVER_FILES",
	"VK_ADD_DRIVER_FILES",
];

/** @returns why there is no such processor; undefined: it may be there */
export function whyAbsent(processor: Processor): string | undefined {
	if (processor === "cuda" || processor === "tensorrt") {
		const shared = "libonnxruntime_providers_shared.so";
		if (!existsSync(join(dirname(stockLibraryPath()), shared)))
			return `ONNX Runtime's libraries for it are not installed (${shared})`;
	}
	if (processor === "webgpu" && !hasVulkanDriver())
		return "no Vulkan driver is installed";
	return undefined;
}

function hasVulkanDriver(): boolean {
	if (driverVariables.some((it) => process.env[it])) return true;
	return driverFolders.some(
		(folder) =>
			existsSync(folder) &&
			readdirSync(folder).some((it) => it.endsWith(".json")),
	);
}
