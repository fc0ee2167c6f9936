/** Why the store can't do what was requested: a sentence for people, and a kind for the program. */
export type StoreTrouble =
	/** No space, or the file may not grow. */
	| "full"
	/** The file has been corrupted: it must be moved aside. */
	| "damaged"
	/** A commit neither succeeded nor failed in time: only a new process helps. */
	| "stuck"
	/** Another program uses the same directory. */
	| "in-use"
	/** It can't be opened, read or written for another reason. */
	| "unavailable";

export class StoreError extends Error {
	override readonly name = "StoreError";
	readonly trouble: StoreTrouble;

	constructor(trouble: StoreTrouble, message: string, cause?: unknown) {
		super(message, { cause });
		this.trouble = trouble;
	}
}

export function isDamage(thrown: unknown): boolean {
	return thrown instanceof StoreError && thrown.trouble === "damaged";
}
