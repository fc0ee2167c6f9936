/** What is said of the weights of a graph that is refused. */
import { PackageError } from "./model-package.js";

export const notNumbers =
	"contain NaN: the file is damaged, or its training failed";

export function wrongWeights(
	file: string,
	weights: string,
	what: string,
): PackageError {
	return new PackageError(`${file}: its weights ${shown(weights)} ${what}`);
}

export function shown(text: string): string {
	return JSON.stringify(text.slice(0, 100));
}
