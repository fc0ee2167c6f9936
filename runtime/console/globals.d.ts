/** The name of the built worklet, given by scripts/bundles/console.ts. */
declare const WORKLET_FILE: string;

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
