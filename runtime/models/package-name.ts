/** Names of packages: those of their folders, and what commands and the configuration call them. */
export const packageNamePattern = "^[a-z0-9][a-z0-9._-]*$";
/** Empty where a setting names none. */
export const packageNameOrNonePattern = "^([a-z0-9][a-z0-9._-]*)?$";

const packageName = new RegExp(packageNamePattern);

export function isPackageName(text: string): boolean {
	return packageName.test(text);
}
