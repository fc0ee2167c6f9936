/** The services of the appliance that sharing uses. */
import type { JobLane } from "../../engine/remote-job.js";
import type { Language } from "../../text/languages.js";

/** A file of another device, stored here temporarily. */
export interface BorrowedFile {
	readonly path: string;
	readonly bytes: number;
	discard(): Promise<void>;
}

export interface SharingPort {
	/** What transcribes that language here; devices share a file where it is the same. */
	modelOf(language: Language): string;
	/** That model is there and works: otherwise another one would transcribe it. */
	recognizes(language: Language): boolean;
	/** Number of files transcribed at the same time. */
	readonly slots: number;
	/** Number of this device's unfinished tasks. */
	unfinished(): number;
	/** @param listener gets the tasks that wait while every slot is taken, in queue order, whenever they may have changed. */
	onWaiting(listener: (ids: readonly string[]) => void): void;
	shareable(id: string):
		| {
				readonly language: Language;
				readonly audioId: string;
				readonly audioMs: number;
		  }
		| undefined;
	/** Runs the task with that lane. @returns the end of the run; undefined where the task is no longer waiting. */
	lend(id: string, lane: JobLane): Promise<void> | undefined;
	/** Our engine for files. */
	readonly lane: JobLane;
	/** Size of stored audio; undefined where it no longer exists. */
	audioBytes(audioId: string): Promise<number | undefined>;
	/** @param address of this machine in the broker's network */
	audioUrl(audioId: string, address: string | undefined): string;
	/** Fetches under the policy of outbound requests. @throws Error with a message of one sentence; the signal's reason */
	fetch(url: string, bytes: number, signal: AbortSignal): Promise<BorrowedFile>;
}
