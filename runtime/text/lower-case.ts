/** Longer than any name that is looked up in small letters. */
const charactersMax = 200;

/** @returns in small letters, unless it is too long to be a name: megabytes take tens of milliseconds. */
export function lowerCaseOf(name: string): string {
	return name.length > charactersMax ? name : name.toLowerCase();
}
