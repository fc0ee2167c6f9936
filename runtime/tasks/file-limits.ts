/** How long a file may be (docs/interface.md section 8): judged at its upload by its packets, and again by its samples while it is heard. */
import type { Variant } from "./file-options.js";

/** Encoders pad: five hours of sound are a little more than five hours of MP3. */
const paddingSeconds = 1;

/** "At most 5 hours", and "less than 6". */
export const audioSecondsMax: Readonly<Record<Variant, number>> = {
	standard: 5 * 3600 + paddingSeconds,
	vip: 6 * 3600 - 0.001,
};
