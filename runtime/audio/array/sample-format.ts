/** How a sound card's samples lie in bytes, by ALSA's names. S24_LE keeps its 24 bits in the lower three of four bytes, S24_3LE in three. */
export const sampleFormats = [
	"S16_LE",
	"S32_LE",
	"S24_LE",
	"S24_3LE",
	"FLOAT_LE",
] as const;

export type SampleFormat = (typeof sampleFormats)[number];
