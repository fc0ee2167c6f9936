/** Durations as people type them: 90s, 30m, 12h, 7d, 4w. */
const unitSeconds = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const;

/** @returns whole seconds; undefined for an invalid duration. */
export function parseDurationSeconds(text: string): number | undefined {
	const [, digits, unit] = /^(\d{1,9})([smhdw])$/.exec(text.trim()) ?? [];
	if (!digits || !unit) return undefined;
	return Number(digits) * unitSeconds[unit as keyof typeof unitSeconds];
}

/** `2026-11-21 10:44:39Z` */
export function timeText(unixSeconds: number): string {
	return `${new Date(unixSeconds * 1000).toISOString().slice(0, 19).replace("T", " ")}Z`;
}
