/** A time in a recording as people type it. Pure. */

const pattern = /^(?:(?:(\d{1,2}):)?(\d{1,2}):)?(\d{1,5}(?:[.,]\d{1,3})?)$/;

/** @param text `1:02:03`, `2:03.5`, or seconds. @returns undefined for anything else. */
export function secondsOf(text: string): number | undefined {
	const parts = pattern.exec(text.trim());
	if (!parts) return undefined;
	const [, hours = "0", minutes = "", rest = ""] = parts;
	const seconds = Number(rest.replace(",", "."));
	// beside minutes a sixtieth is at most 59, alone it may be any number
	if (minutes !== "" && (seconds >= 60 || Number(minutes) >= 60))
		return undefined;
	return Number(hours) * 3600 + Number(minutes) * 60 + seconds;
}
