/** One microphone whose events a test decides. */
import type { MicrophoneControl } from "../../runtime/api/device/microphones.js";
import { CodedError } from "../../runtime/errors.js";
import type {
	MicrophoneEvent,
	MicrophoneStats,
} from "../../runtime/microphones/microphone-events.js";

export class FakeMicrophones implements MicrophoneControl {
	/** What was done. */
	readonly done: string[] = [];
	/** False: the device has none. */
	isThere = true;
	/** How often its state was read. */
	statsReads = 0;
	#listeners = new Set<(event: MicrophoneEvent) => void>();
	#muted = false;

	get stats(): readonly MicrophoneStats[] {
		this.statsReads++;
		if (!this.isThere) return [];
		return [
			{
				microphone: "desk",
				room: "hall",
				language: "en-US",
				phase: this.#muted ? "muted" : "listening",
				muted: this.#muted,
				xruns: 0,
				suspends: 0,
				lostSeconds: 0,
				reconnects: 0,
				deaths: 0,
				warnings: [],
				levelsDbfs: [-30, -32],
				momentLevelsDbfs: [-20, -22],
				events: { wake: 0, "speech-begin": 0, partial: 0, final: 0, state: 0 },
			},
		];
	}

	get listening(): number {
		return this.#listeners.size;
	}

	readonly isPushToTalk = () => false;

	async mute(id: string, muted: boolean): Promise<void> {
		this.#check(id);
		this.#muted = muted;
		this.done.push(`mute ${muted}`);
	}

	talk(id: string, talking: boolean): void {
		this.#check(id);
		this.done.push(`talk ${talking}`);
	}

	onEvent(listener: (event: MicrophoneEvent) => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	emitFinal(text: string, azimuthDeg: number): void {
		const utterance = {
			index: 1,
			beginAtMs: 0,
			endAtMs: 1,
			text,
			confidence: 0.90001,
			words: [],
			azimuthDeg,
		};
		const place = { microphone: "desk", language: "en-US", atMs: 2 };
		for (const listener of this.#listeners)
			listener({ ...place, is: "final", utterance });
	}

	#check(id: string): void {
		if (id !== "desk") throw new CodedError("200002", "unknown microphone");
	}
}
