/** What a wake word changes, in samples from the start of the session; session/events.ts tells callers. */
export type WakeEvent =
	/** A wake word was said; speech is recognized from now on. */
	| {
			readonly is: "wake";
			readonly phrase: string;
			/** Mean probability of its sounds, 0 to 1. */
			readonly confidence: number;
			readonly startSample: number;
			readonly endSample: number;
	  }
	/** What followed has ended, or nothing followed. */
	| { readonly is: "sleep" };
