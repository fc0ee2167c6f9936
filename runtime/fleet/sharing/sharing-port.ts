/** What sharing asks of the appliance around it. */
import type { JobLane } from "../../engine/remote-job.js";

/** A file of another device, while it is here. */
export interface BorrowedFile {
	readonly path: string;
	readonly bytes: number;
	discard(): Promise<void>;
}

export interface SharingPort {
	readonly model: string;
	readonly languages: readonly string[];
	/** Files transcribed at the same time. */
	readonly slots: number;
	/** Files of our own that are not finished. */
	unfinished(): number;
	/** Tasks that wait while every slot is taken, first one first; told whenever that may have changed. */
	onWaiting(listener: (ids: readonly string[]) => void): void;
	shareable(id: string):
		| {
				readonly language: string;
				readonly audioId: string;
				readonly audioMs: number;
		  }
		| undefined;
	/** The task is run with that lane. @returns the end of the run; undefined where it does not wait any more. */
	lend(id: string, lane: JobLane): Promise<void> | undefined;
	/** Our engine for files. */
	readonly lane: JobLane;
	/** Bytes of stored audio; undefined where it is gone. */
	audioBytes(audioId: string): Promise<number | undefined>;
	/** @param address of this machine, as the broker's network sees it */
	audioUrl(audioId: string, address: string | undefined): string;
	/** Under the policy of outbound requests. @throws Error in one sentence; the signal's reason */
	fetch(url: string, bytes: number, signal: AbortSignal): Promise<BorrowedFile>;
}
