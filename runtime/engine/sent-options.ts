import type { RecognitionOptions } from "../session/options.js";
import type { ReferredLists } from "../words/referred-lists.js";

/** A recognition's options, with the keys of its lists in place of the lists. */
export type SentOptions = Omit<
	RecognitionOptions,
	keyof ReferredLists<string>
> &
	ReferredLists<string>;
