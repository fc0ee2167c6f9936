/** Usage: node build/scripts/bundles/compile.js BUNDLE. Runs it, calls its `warmUp` if it exports one, and keeps what V8 compiled. */
import { renameSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import {
	compiledFile,
	loadBundle,
} from "../../runtime/process/compiled-bundle.js";

const file = resolve(process.argv[2] ?? "");
const { exports, compiled } = loadBundle<{ warmUp?(): Promise<unknown> }>(
	pathToFileURL(file).href,
);
await exports.warmUp?.();
const growing = `${compiledFile(file)}.next`;
writeFileSync(growing, compiled());
renameSync(growing, compiledFile(file));
process.exit(0); // whatever was loaded
