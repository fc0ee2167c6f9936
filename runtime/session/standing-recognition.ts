/**
 * A recognition that never ends: opened on the lane, opened again whenever its engine dies or the appliance is at capacity, and first given the audio without a
 * final. Its owner sees the events of a single recognition: sample numbers continue, each utterance is emitted once.
 *
 * An engine slower than speech is given no more than it takes: the rest waits in the bounded `AudioBacklog`, which drops the oldest audio when it is full.
 */
import { AudioBacklog, type BacklogFormat } from "./audio-backlog.js";
import type { AudioRoom } from "./audio-room.js";
import {
	isAwake,
	type StandingListener,
	type Unended,
} from "./continued-events.js";
import { FedRecognition } from "./fed-recognition.js";
import {
	type Lane,
	localDevice,
	type Recognition,
	type RecognitionCaller,
} from "./lane-port.js";
import {
	type Ending,
	type OpenRecognition,
	OpenRecognitions,
} from "./open-recognitions.js";
import type { RecognitionOptions } from "./options.js";
import { Opener, type Opening } from "./standing-opening.js";

type Phase = { readonly is: "closed" } | Opening | OpenRecognition;

export class StandingRecognition {
	readonly backlog: AudioBacklog;
	readonly #opener: Opener;
	readonly #listener: StandingListener;
	readonly #recognitions: OpenRecognitions;
	#phase: Phase = { is: "closed" };
	/** What has not ended yet, and how it is cancelled. */
	readonly #running = new Map<Promise<void>, () => void>();
	/** Set by `finish`: called when all audio is recognized. */
	#onFinished: (() => void) | undefined;

	/**
	 * @param options called for each recognition: word lists may have changed; its format is that of the audio.
	 * @param audio its source: default, the device itself with signed 16-bit audio at 16 kHz.
	 */
	constructor(
		lane: Lane,
		options: () => RecognitionOptions,
		listener: StandingListener,
		audio: {
			readonly caller?: RecognitionCaller;
			readonly format?: BacklogFormat;
			/** That its backlog shares with others. */
			readonly room?: AudioRoom;
		} = {},
	) {
		this.#listener = listener;
		this.backlog = new AudioBacklog(audio.format, audio.room);
		this.#opener = new Opener({
			lane,
			options,
			listener,
			backlog: this.backlog,
			caller: audio.caller ?? localDevice,
		});
		this.#recognitions = new OpenRecognitions(
			listener,
			this.backlog,
			(open, ending) => this.#onEnd(open, ending),
		);
	}

	get isRecognizing(): boolean {
		return this.#phase.is === "open";
	}

	/** Somebody is speaking, as far as is known. */
	get isSpeech(): boolean {
		return this.#phase.is === "open" && this.#phase.unended.isSpeech;
	}

	/** A wake word was said, and what follows it is recognized now. */
	get isAwake(): boolean {
		return this.#phase.is === "open" && this.#phase.unended.awake;
	}

	/** @param bytes whole samples, mono; kept. */
	accept(bytes: Uint8Array): void {
		this.backlog.push(bytes);
		const phase = this.#phase;
		if (phase.is === "closed") this.backlog.dropWhileClosed();
		if (phase.is !== "open") return;
		this.#give(phase);
		if (!phase.unended.isSpeech)
			this.backlog.dropSilence(
				phase.fed.processedSample,
				phase.fed.startSample,
			);
	}

	/** Starts recognizing, beginning with the backlog. */
	open(): void {
		if (this.#phase.is !== "closed") return;
		this.#reopen({ utterance: undefined, awake: false });
	}

	/** Stops recognizing; audio received so far still gets its final, unless no engine is free for it. */
	close(): void {
		// where others needed the room of its backlog: the rest is another one's
		if (this.#phase.is === "open" && this.#phase.fed.hasFallenBehind)
			this.#give(this.#phase);
		const phase = this.#phase;
		this.#noteSuccess();
		this.#phase = { is: "closed" };
		if (phase.is === "open") phase.fed.leaveAfterAll();
		if (phase.is === "opening")
			phase.rest = this.backlog.moveFrom(this.backlog.startSample);
	}

	/** As `close`, but nothing waits for an engine that is not there now. */
	closeWithoutWaiting(): void {
		const phase = this.#phase;
		this.close();
		if (phase.is === "opening") phase.abort.abort();
	}

	/** The options have changed: audio given so far gets its final with the old ones, and later audio a recognition of its own. */
	renew(): void {
		const phase = this.#phase;
		switch (phase.is) {
			case "closed": // the next one reads them when it opens
				return;
			case "opening": // it was requested with the old ones
				phase.abort.abort();
				this.#reopen(phase.unended);
				return;
			case "open":
				phase.fed.give(true);
				phase.fed.leave();
				this.backlog.dropRecognized(phase.fed.givenSample);
				this.#reopenAfter(phase);
		}
	}

	/** Samples that no recognition has been given yet. */
	get waitingSamples(): number {
		const { endSample, startSample } = this.backlog;
		const phase = this.#phase;
		if (phase.is === "closed") return 0;
		const from = phase.is === "open" ? phase.fed.givenSample : startSample;
		return endSample - Math.max(from, startSample);
	}

	/**
	 * No more audio comes. Unlike after `close`, what a recognition leaves when its engine dies is recognized by the next one. Resolves when every final has
	 * been emitted, or after `cancel`.
	 */
	async finish(): Promise<void> {
		if (this.#phase.is !== "closed") {
			const finished = new Promise<void>((resolve) => {
				this.#onFinished = resolve;
			});
			if (this.#phase.is === "open") this.#give(this.#phase);
			await finished;
		}
		await this.ended();
	}

	/** Settles when every closed recognition has ended. */
	async ended(): Promise<void> {
		await Promise.all(this.#running.keys());
	}

	/** Stops at once, without pending finals; audio that was not given yet is counted as lost, and of those that were to finish also what they took in vain. */
	cancel(): void {
		const phase = this.#phase;
		// what one that was to finish has not taken is counted when it ends
		const isFinishing = phase.is === "open" && this.#onFinished;
		this.backlog.countLost(
			isFinishing ? phase.fed.takenInVain(this.isSpeech) : this.waitingSamples,
		);
		if (phase.is === "open") this.#recognitions.forget(phase);
		this.#recognitions.giveUp();
		this.#phase = { is: "closed" };
		this.backlog.moveFrom(this.backlog.endSample);
		for (const cancel of this.#running.values()) cancel();
		this.#onFinished?.();
	}

	/** To be called before the current recognition is closed or replaced. */
	#noteSuccess(): void {
		const phase = this.#phase;
		if (phase.is === "open" && phase.fed.hasUsed) this.#opener.succeeded();
	}

	/** What follows one that was finished is a new utterance; after a wake word nobody has to say another. */
	#reopenAfter({ unended }: OpenRecognition): void {
		this.#reopen({ utterance: undefined, awake: isAwake(unended) });
	}

	/**
	 * @param unended what the new recognition goes on with.
	 * @param pausesFirst the one before it was of no use.
	 */
	#reopen(unended: Omit<Unended, "isSpeech">, pausesFirst = false): void {
		this.#noteSuccess();
		const abort = new AbortController();
		const opening: Opening = {
			is: "opening",
			abort,
			rest: undefined,
			pausesFirst,
			unended: { ...unended, isSpeech: false },
		};
		this.#phase = opening;
		const running = this.#run(opening);
		this.#running.set(running, () => abort.abort());
		void running.finally(() => this.#running.delete(running));
	}

	/** Opens a recognition and reads it to its end. Never rejects. */
	async #run(opening: Opening): Promise<void> {
		const { abort, unended } = opening;
		const recognition = await this.#opener.open(opening);
		if (!recognition) return;
		if (abort.signal.aborted) {
			recognition.cancel(); // aborted while it was being opened
			return;
		}
		abort.signal.addEventListener("abort", () => recognition.cancel());
		await this.#recognitions.read(
			this.#begin(recognition, unended, opening.rest),
		);
	}

	/** @param rest where it was closed before it was open: its audio. */
	#begin(
		recognition: Recognition,
		unended: Unended,
		rest: AudioBacklog | undefined,
	): OpenRecognition {
		unended.awake = isAwake(unended);
		const fed = new FedRecognition(recognition, rest ?? this.backlog, () => {
			if (this.#phase === phase) this.#give(phase);
			else fed.give(false);
		});
		recognition.onReplace?.(() => this.#moverOf(phase));
		const phase: OpenRecognition = { is: "open", fed, unended };
		if (rest) {
			fed.leaveAfterAll();
			return phase;
		}
		this.#phase = phase;
		this.#give(phase);
		this.#listener.onAvailability(true);
		return phase;
	}

	/** One that is to finish stays in its engine: what it has not taken may be speech. */
	#moverOf(phase: OpenRecognition): (() => void) | undefined {
		if (this.#phase !== phase || this.#onFinished) return undefined;
		return () => this.#move(phase);
	}

	/** Its engine is replaced in a pause. The next recognition begins with the silence before, as after a death: a word may have begun in it. */
	#move(phase: OpenRecognition): void {
		this.#recognitions.forget(phase);
		phase.fed.recognition.cancel(); // first: the next one gets its slot
		this.#reopen(phase.unended);
	}

	#give(phase: OpenRecognition): void {
		const { fed, unended } = phase;
		if (fed.hasFallenBehind) {
			// the audio it needs next is lost: finish with what it has
			fed.leave();
			this.#reopenAfter(phase);
		} else if (this.#onFinished) fed.finishAfterAll();
		else fed.give(unended.utterance !== undefined);
	}

	#onEnd(phase: OpenRecognition, ending: Ending): void {
		const { fed, unended } = phase;
		const isFailed = ending.is === "failed";
		if (this.#phase !== phase) {
			// it was closed
			const lostSamples = isFailed ? ending.lostSamples : 0;
			this.backlog.countLost(lostSamples + fed.unwrittenSamples);
			return;
		}
		if (!isFailed && fed.isFinished) {
			this.#phase = { is: "closed" };
			this.#onFinished?.();
			return;
		}
		this.#reopen(unended, !fed.hasUsed);
		// afterwards: whoever is told asks whether it recognizes
		this.#listener.onAvailability(
			false,
			isFailed ? ending.why : "the recognition ended",
		);
	}
}
