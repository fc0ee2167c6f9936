/** What the fleet asks of the appliance around it. */
import type {
	MicrophoneEvents,
	MicrophoneState,
} from "../microphones/microphone-events.js";
import type { TaskState } from "../store/tasks.js";
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

export interface MicrophoneControl extends MicrophoneEvents {
	readonly states: ReadonlyMap<string, MicrophoneState>;
	/** @throws CodedError */
	mute(id: string, muted: boolean): void;
	talk(id: string, talking: boolean): void;
	setHotwords(id: string, words: readonly string[] | undefined): void;
}

export interface MadeTask {
	readonly taskId: string;
	/** Of its audio. */
	readonly seconds: number;
}

export interface AppliancePort {
	readonly version: string;
	readonly model: string;
	readonly languages: readonly string[];
	readonly microphones: MicrophoneControl;
	health(): readonly {
		readonly name: string;
		readonly ok: boolean;
		readonly says: string;
	}[];
	/** The live one first. */
	lanes(): readonly LaneStats[];
	files(): FileStats;
	task(id: string): TaskView | undefined;
	result(id: string): StoredResult | undefined;
	/** @throws Error in one sentence: nothing has changed then. */
	reload(): {
		readonly changed: readonly string[];
		readonly needRestart: readonly string[];
	};
	restartEngine(lane: "live" | "batch"): void;
	/** As an upload with `file_url`. @param options by the names of the API. @param request kept with the task. @throws CodedError */
	transcribe(
		options: Readonly<Record<string, unknown>>,
		request: TaskRequest,
		signal: AbortSignal,
	): Promise<MadeTask>;
	/** The task that a request of that key was the first to ask for, and what it asked for; undefined where nobody did lately. */
	requested(key: string): (MadeTask & Pick<TaskRequest, "content">) | undefined;
}
