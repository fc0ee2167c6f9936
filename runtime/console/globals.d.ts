/** The name of the built worklet, given by scripts/bundles/console.ts. */
declare const WORKLET_FILE: string;

/** By page, the built files that it loads and the first load has not; given by scripts/bundles/console.ts. */
declare const PAGE_FILES: Readonly<Record<string, readonly string[]>>;

/** Of the audio worklet's scope, which the DOM's types do not cover. */
declare const sampleRate: number;
declare abstract class AudioWorkletProcessor {
	readonly port: MessagePort;
	constructor(options?: { processorOptions?: unknown });
	abstract process(inputs: Float32Array[][]): boolean;
}
declare function registerProcessor(
	name: string,
	processor: new (options?: {
		processorOptions?: unknown;
	}) => AudioWorkletProcessor,
): void;
