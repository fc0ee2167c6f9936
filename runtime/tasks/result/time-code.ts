/** `hh:mm:ss,mmm`, the times of segments and keywords (docs/interface.md section 2.5), and back. */

export function timeCode(milliseconds: number): string {
	const ms = Math.max(0, Math.round(milliseconds));
	const seconds = Math.floor(ms / 1000);
	const minutes = Math.floor(seconds / 60);
	const clock = [Math.floor(minutes / 60), minutes % 60, seconds % 60];
	return `${clock.map((it) => digits(it, 2)).join(":")},${digits(ms % 1000, 3)}`;
}

/** @param code as `timeCode` writes it. */
export function timeCodeMs(code: string): number {
	const [hours = 0, minutes = 0, seconds = 0, ms = 0] = code
		.split(/[:,]/)
		.map(Number);
	return ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms;
}

function digits(value: number, count: number): string {
	return String(value).padStart(count, "0");
}
