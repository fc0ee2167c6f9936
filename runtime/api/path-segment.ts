/** @param segment of a path, as sent. @returns undefined: it has an invalid escape, so it is no name that anything here has. */
export function decodedSegment(segment: string): string | undefined {
	try {
		return decodeURIComponent(segment);
	} catch {
		return undefined;
	}
}
