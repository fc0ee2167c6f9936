/** npm packages that others wrote, for tests that call an appliance with them. */
import { folderWithPackages } from "../fixtures/npm-packages.js";

/** @returns the folder that has `node_modules`; an empty text where they can't be installed. */
export function folderWithSdk(): Promise<string> {
	return folderWithPackages("sdks", [
		"openai@7.57.0",
		"ai@7.0.173",
		"@ai-sdk/openai@4.0.118",
	]);
}
