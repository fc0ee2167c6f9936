/**
 * A stop that takes longer than draining plus this is forced. Engines, a backup in progress and the last rows took 3 s on two cores with twelve busy processes and
 * three that wrote to the disk; of a limit of 5 s, one of four runs of the tests on a busy machine was ended.
 */
const stopSlackMs = 15_000;

/** How long a server may take to stop. @param drainSeconds `server.drain_seconds` */
export function stopLimitMs(drainSeconds: number): number {
	return drainSeconds * 1000 + stopSlackMs;
}
