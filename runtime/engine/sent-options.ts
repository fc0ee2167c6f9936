import type { RecognitionOptions } from "../session/options.js";

/** A recognition's options, with the keys of its lists in place of the lists. */
export interface SentOptions
	extends Omit<RecognitionOptions, "hotwords" | "corrections" | "forbidden"> {
	readonly hotwords?: { readonly key: string; readonly weight: number };
	readonly corrections?: readonly string[];
	readonly forbidden?: readonly string[];
}
