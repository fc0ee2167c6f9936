/** The level of each microphone as a bar of one character, the loudest level, and the direction of the sound. */
const bars = " ▁▂▃▄▅▆▇█";
/** Levels of a quiet room and of a shout at the microphone. */
const quietDbfs = -70;
const loudDbfs = -10;

export function meterText(
	levelsDbfs: readonly number[],
	azimuthDeg: number | undefined,
): string {
	const steps = bars.length - 1;
	const meter = levelsDbfs
		.map((level) => {
			const share = (level - quietDbfs) / (loudDbfs - quietDbfs);
			return bars[Math.round(Math.min(Math.max(share, 0), 1) * steps)];
		})
		.join("");
	const loudest = Math.round(Math.max(...levelsDbfs));
	const direction =
		azimuthDeg === undefined
			? ""
			: ` ${String(Math.round(azimuthDeg) % 360).padStart(3)}°`;
	return `[${meter}] ${String(loudest).padStart(4)} dB${direction}`;
}
