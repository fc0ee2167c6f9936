/** The processes that run models: what they may take, and when they are replaced. */
import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";

export const engineSection = {
	threads: setting(
		Type.Integer({ minimum: 0, maximum: 256 }),
		0,
		"Threads of one engine; 0: as many as cores, at most 4. A streaming model uses one where it measures that more are not faster.",
	),
	cores: setting(
		Type.String({
			pattern: "^(auto|all|\\d{1,4}(-\\d{1,4})?(,\\d{1,4}(-\\d{1,4})?)*)$",
			maxLength: 1000,
			"x-expects": "auto, all, or a list of cores such as 4-7 or 0,2",
		}),
		"auto",
		"Cores that engines run on. auto: where a processor has slow cores beside fast ones (RK3588), the fast ones, as a short computation measures them; earshot doctor says which. Where some cores are left out, an engine has at most one thread for each core that it uses.",
	),
	processor: setting(
		Type.Union(
			[
				...(["auto", "cpu", "webgpu", "cuda", "tensorrt"] as const).map(
					(name) => Type.Literal(name),
				),
				Type.Unsafe<`custom:/${string}`>(
					Type.String({ pattern: "^custom:/.+" }),
				),
			],
			{
				"x-expects":
					"one of auto, cpu, webgpu, cuda, tensorrt, or custom:/PATH of a vendor's ONNX Runtime",
			},
		),
		"auto",
		"What the recognizer runs on: a processor other than the CPU is only used once it has given the same results as the CPU (GET /healthz says why not). auto: the fastest of those; integer-quantized packages (int8, int4) stay on the CPU.",
	),
	custom_providers: setting(
		Type.Array(
			Type.String({ pattern: "^\\w+( [\\w.]+=[^ ,]+)*$", maxLength: 4000 }),
			{
				maxItems: 8,
				"x-expects": "a list of names, each followed by KEY=VALUE options",
			},
		),
		[],
		"Execution providers of a custom: library, in order of precedence, each followed by its options (TensorRT trt_fp16_enable=1); the CPU runs what they do not support.",
	),
	kernels: setting(
		Type.Union(
			(
				[
					"auto",
					"none",
					"avx2",
					"avx-vnni",
					"avx512",
					"avx512-bf16",
					"neon",
					"dotprod",
					"i8mm",
				] as const
			).map((level) => Type.Literal(level)),
		),
		"auto",
		"Best instructions that the CPU's kernels may use: avx2, avx-vnni, avx512 or avx512-bf16 on x64, neon, dotprod or i8mm on arm64; what the processor lacks or computes wrongly is not used anyway (earshot doctor says what is). none: the operators of ONNX Runtime.",
	),
	live_slots: setting(
		Type.Integer({ minimum: 0, maximum: 1000 }),
		0,
		"Streams and short requests recognized at the same time; 0: as many as the device was measured to sustain, and 4 for each core until then.",
	),
	live_share_max: setting(
		Type.Number({ minimum: 0.01, maximum: 1 }),
		0.75,
		"Share of the live slots, and of the places in their queue, that one caller may hold, rounded down, but one at least: a caller is a token's name, an application, or where no token is needed an address; 1: all of them.",
	),
	batch_slots: setting(
		Type.Integer({ minimum: 1, maximum: 100 }),
		1,
		"Files transcribed at the same time.",
	),
	queue_max: setting(
		Type.Integer({ minimum: 0, maximum: 10_000 }),
		16,
		"Requests that may wait for a free slot; more are refused with 100004.",
	),
	queue_wait_seconds: setting(
		Type.Number({ minimum: 0, maximum: 60 }),
		5,
		"How long a request waits for a slot or for an engine to start before it is refused with 100004.",
	),
	ready_seconds_max: setting(
		Type.Number({ minimum: 1, maximum: 3600 }),
		60,
		"An engine that has not recognized its probe clip after this time is killed and started again.",
	),
	ping_seconds: setting(
		Type.Number({ minimum: 0.1, maximum: 600 }),
		2,
		"How often an engine is pinged.",
	),
	ping_seconds_max: setting(
		Type.Number({ minimum: 0.1, maximum: 600 }),
		20,
		"An engine that does not answer a ping for this time is considered hung and killed; longer than the longest inference.",
	),
	answer_seconds_max: setting(
		Type.Number({ minimum: 1, maximum: 3600 }),
		120,
		"A recognition that gets nothing from its engine for this time fails with 100003.",
	),
	back_off_seconds: setting(
		Type.Number({ minimum: 0.1, maximum: 60 }),
		2,
		"Pause after the fifth death within a minute; it doubles with each further death, up to a minute.",
	),
	rss_megabytes_max: setting(
		Type.Integer({ minimum: 0, maximum: 1_048_576 }),
		0,
		"An engine with more resident memory is replaced after ten minutes at the earliest, when idle, or in a pause when only microphones and calls use it; 0: three times what it used when it became ready.",
	),
	retry_kilobytes_max: setting(
		Type.Integer({ minimum: 0, maximum: 1_048_576 }),
		2048,
		"Audio of one request kept so that it can be tried once more when its engine dies; 0: never tried again.",
	),
	batch_recognizers: setting(
		Type.Integer({ minimum: 0, maximum: 16 }),
		0,
		"Copies of the recognizer in the engine for files, which share its threads: two with a thread each process a quarter more audio in the same time than one with two, and the second takes up to 460 MB; 0: 2 if there are two threads and 4 GB of memory, else 1.",
	),
	batch_idle_seconds: setting(
		Type.Number({ minimum: 1, maximum: 86_400 }),
		60,
		"The engine for files is stopped after this time without a file.",
	),
	batch_niceness: setting(
		Type.Integer({ minimum: 0, maximum: 19 }),
		10,
		"Priority of the engine for files: 0 like all others, 19 lowest.",
	),
	batch_idle_only: setting(
		Type.Boolean(),
		true,
		"The engine for files uses only processor time that nothing else needs (Linux' idle policy, set with chrt), so that live speech does not wait for it; false: batch_niceness alone.",
	),
	batch_patience_minutes: setting(
		Type.Number({ minimum: 0, maximum: 10_080 }),
		10,
		"An engine for files that has hardly got any processor time for this long, because the device is always busy, takes its share by batch_niceness until its files are done; 0: it waits.",
	),
	spool_megabytes_max: setting(
		Type.Integer({ minimum: 1, maximum: 1_048_576 }),
		4096,
		"Largest compressed file that is put on disk for decoding.",
	),
};
