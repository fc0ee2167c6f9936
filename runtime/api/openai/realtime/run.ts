/** One recognition of a session, and what it still owes the client. */
import type { RecognitionOptions } from "../../../session/options.js";
import type { Item } from "./item.js";
import type { ManualTurn } from "./manual-turn.js";
import type { RealtimeSettings } from "./settings.js";

export class Run {
	readonly id: number;
	readonly settings: RealtimeSettings;
	readonly options: RecognitionOptions;
	/** Where it begins in the audio of the session. */
	readonly beginMs: number;
	/** What the client will commit; undefined where voice activity finds the sentences. */
	readonly turn: ManualTurn | undefined;
	/** It gets no more audio. */
	isFinishing = false;
	/** The settings have changed: it ends with the sentence that is open. */
	endsWithItem = false;
	/** The sentence that is open. */
	item: Item | undefined;
	/** Commits that no item has answered. */
	commitsOwed = 0;
	/** `clear` came after them, and is answered after them. */
	clearsOwed = 0;

	constructor(
		id: number,
		settings: RealtimeSettings,
		options: RecognitionOptions,
		beginMs: number,
		turn: ManualTurn | undefined,
	) {
		this.id = id;
		this.settings = settings;
		this.options = options;
		this.beginMs = beginMs;
		this.turn = turn;
	}
}
