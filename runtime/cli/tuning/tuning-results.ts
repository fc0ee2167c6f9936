/** The results of measuring a device. */
import type { KernelChoice, KernelLevel } from "../../models/inference-port.js";

/** One combination of settings, and its speed. */
export interface TuningRow {
	/** `engine.processor` as set. */
	readonly processor: string;
	/** The processor that was used. */
	readonly computedBy: string;
	readonly threads: number;
	readonly beam: number;
	/** The recognizer's time for the clip. */
	readonly decodeMs: number;
	/** Seconds of speech recognized in one second of the recognizer's time. */
	readonly speed: number;
}

export interface TuningResults {
	readonly model: string;
	readonly cores: number;
	readonly clipSeconds: number;
	readonly rows: readonly TuningRow[];
	/** The kernels used, as the doctor names them. */
	readonly kernels: readonly KernelChoice[];
	/** The chosen row once more with older instructions: wide ones slow some processors down. Absent where it was not measured. */
	readonly lower?: { readonly level: KernelLevel; readonly speed: number };
	/** Cost of a partial of the clip with the settings chosen so far. */
	readonly partialMs: number;
	/** Median against fastest run of one measurement: far from 1, other programs were busy. */
	readonly spread: number;
}
