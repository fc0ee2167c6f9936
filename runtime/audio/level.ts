/**
 * Levels in dBFS: a full-scale square wave is 0, and silence is the floor.
 */
export const levelFloorDbfs = -120;

/** Root mean square. */
export function rmsDbfs(samples: Float32Array): number {
	let sum = 0;
	for (let i = 0; i < samples.length; i++) {
		const sample = samples[i] as number;
		sum += sample * sample;
	}
	return powerDbfs(samples.length === 0 ? 0 : sum / samples.length);
}

function powerDbfs(power: number): number {
	return power <= 0
		? levelFloorDbfs
		: Math.max(levelFloorDbfs, 10 * Math.log10(power));
}
