/** Under which name something of Live is saved: by the time on this browser's clock, so that the next one is told apart, and in its order. */
const pad = (part: number) => String(part).padStart(2, "0");

/** @returns `2026-11-30 09-05-07 English`: a name may have no colon on some systems. */
export function savedName(at: Date, language: string): string {
	const date = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(pad);
	const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(pad);
	return `${date.join("-")} ${time.join("-")} ${language}`;
}
