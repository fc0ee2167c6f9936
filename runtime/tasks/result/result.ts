/** The transcript of a file as its client gets it (docs/interface.md section 2.5): field names are the interface's. */
export interface ResultWord {
	readonly word: string;
	/** Milliseconds of the file. */
	readonly start_time: number;
	readonly end_time: number;
	readonly type: "normal" | "modal" | "punc";
	readonly is_punc: boolean;
	/** Number of the keyword, 0 for none; only where `words_type` is 0. */
	readonly keywords_index?: number;
}

export interface ResultSegment {
	/** `hh:mm:ss,mmm` */
	readonly begin: string;
	readonly end: string;
	/** From 1. */
	readonly seg_num: number;
	readonly transcript: string;
	/** The recognized text, where a person has corrected it. */
	readonly original?: string;
	/** Present where speech was not recognized: `transcript` is empty then. Only with words. */
	readonly understood?: false;
	readonly confidence: number;
	readonly words?: readonly ResultWord[];
	readonly lang_type?: string;
	/** From 1. */
	readonly paragraph: number;
	/** Speaker or channel, from 1. */
	readonly cluster_id?: number;
	/** The name that a person gave the speaker. */
	readonly speaker?: string;
	/** Other speakers at the same time, with diarization: an extension of the interface. */
	readonly overlap_cluster_ids?: readonly number[];
}

export interface ResultKeyword {
	/** From 1. */
	readonly index: number;
	readonly word: string;
	/** The same: the interface's example uses this spelling. */
	readonly words: string;
	readonly frequency: number;
	readonly time: readonly { readonly begin: string; readonly end: string }[];
}

export interface Statistics {
	readonly keywords?: readonly ResultKeyword[];
	/** Characters (zh, ja) or words (en) a minute. */
	readonly speed: number;
	readonly word_count: number;
	/** `YYYY-MM-DD hh:mm:ss` */
	readonly insert_time: string;
	readonly process_time: string;
	readonly finish_time: string;
}
