/** What a tokenizer makes of tokens, and where marks are to be put between. */

/** A stretch of text whose characters all come from the same whole tokens: the smallest thing that has a time of its own. */
export interface TextPiece {
	readonly text: string;
	/** Index of the first token, and one past the last. */
	readonly tokenStart: number;
	readonly tokenEnd: number;
}

export interface Insertion {
	/** Index of the piece that the mark stands before; the number of pieces for the end. */
	readonly before: number;
	readonly mark: string;
}
