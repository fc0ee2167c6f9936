/** The services of the appliance that the fleet uses. */
import type { CallEvents } from "../calls/call-events.js";
import type {
	MicrophoneEvents,
	MicrophoneState,
} from "../microphones/microphone-events.js";
import type { TaskState } from "../store/tasks.js";
import type { Scope } from "../store/token-row.js";
import type {
	StoredResult,
	TaskRequest,
	TaskView,
} from "../tasks/task-service.js";

export interface LaneStats {
	readonly lane: string;
	readonly busy: number;
	readonly slots: number;
	readonly queued: number;
	readonly refused: number;
	readonly deaths: number;
	readonly restarts: number;
}

export interface FileStats {
	readonly tasks: Readonly<Record<TaskState, number>>;
	readonly audioSeconds: number;
}

export interface FleetMicrophones extends MicrophoneEvents {
	readonly states: ReadonlyMap<string, MicrophoneState>;
	/** Kept over restarts. @throws CodedError, StoreError */
	mute(id: string, muted: boolean): Promise<void>;
	talk(id: string, talking: boolean): void;
	setHotwords(id: string, words: readonly string[] | undefined): void;
}

export interface MadeTask {
	readonly taskId: string;
	/** Duration of its audio. */
	readonly seconds: number;
}

/** HTTPS with the certificate in use. Fingerprints are SHA-256 in hexadecimal, with colons. */
export interface HttpsState {
	readonly port: number;
	readonly certificateSha256: string;
	/** Of the device's own authority; absent with the operator's certificate. */
	readonly authoritySha256?: string;
	readonly validToMs: number;
}

export interface PartHealth {
	readonly name: string;
	readonly ok: boolean;
	/** For people. */
	readonly says: string;
	/** What `says` says, for programs; as `GET /healthz` has them. */
	readonly code: string;
	/** What differs from case to case. */
	readonly values: object;
}

export interface PairingCode {
	/** Of the console. */
	readonly address: string;
	readonly code: string;
	/** The address with the code. */
	readonly link: string;
	/** Unix time. */
	readonly expiresSeconds: number;
}

/** An update that the device tries out, and the last one that it went back from, unless it is as new by now. */
export interface ProgramUpdates {
	readonly trial: { readonly from: string; readonly to: string } | null;
	readonly refused: {
		readonly version: string;
		readonly why: string;
		/** Unix time, seconds. */
		readonly at: number;
	} | null;
}

export interface AppliancePort {
	readonly version: string;
	updates(): Promise<ProgramUpdates>;
	model(): string;
	readonly languages: readonly string[];
	/** Undefined where HTTPS is off. */
	https(): HttpsState | undefined;
	readonly microphones: FleetMicrophones;
	/** Telephone calls. */
	readonly calls: CallEvents;
	health(): readonly PartHealth[];
	/** The live lane first. */
	lanes(): readonly LaneStats[];
	files(): FileStats;
	task(id: string): TaskView | undefined;
	result(id: string): StoredResult | undefined;
	/** @throws Error with a message of one sentence: nothing has changed then. */
	reload(): {
		readonly changed: readonly string[];
		readonly needRestart: readonly string[];
	};
	restartEngine(lane: "live" | "batch"): void;
	/** A code that signs a browser in to the console, with these scopes. @throws CodedError */
	pair(name: string, scopes: readonly Scope[]): Promise<PairingCode>;
	/** Works like an upload with `file_url`. @param options with the names of the API. @param request stored with the task. @throws CodedError */
	transcribe(
		options: Readonly<Record<string, unknown>>,
		request: TaskRequest,
		signal: AbortSignal,
	): Promise<MadeTask>;
	/** The task that the first request with that key created, and the content of that request; undefined where there was none lately. */
	requested(key: string): (MadeTask & Pick<TaskRequest, "content">) | undefined;
}
