/** `earshot models convert`: makes a package from published weights. */
import { readFileSync } from "node:fs";
import { Command, Option } from "commander";
import { openOnnx } from "../../drivers/onnx/session.js";
import { convertModel } from "../models/convert/convert.js";
import {
	type ComputeFormat,
	computeFormats,
	type Quantization,
	quantizationOf,
	type StorageFormat,
	storageFormats,
} from "../models/convert/quantization.js";
import { bytesOf } from "../models/manifest.js";
import { openProgress, type Progress } from "./progress.js";
import { action, print } from "./verb.js";

type Options = {
	from: string;
	to: string;
	storage?: StorageFormat;
	compute?: ComputeFormat;
	/** Names of `--storage` and `--compute` before 0.2. */
	quantize?: StorageFormat;
	precision?: ComputeFormat;
	name?: string;
	licence?: string;
	licenceFile?: string;
	source?: string;
	replace?: boolean;
};

export function convertCommand(): Command {
	return new Command("convert")
		.description("make a package from a Whisper model's weights")
		.requiredOption(
			"--from <dir>",
			"a CTranslate2 (model.bin) or Hugging Face (model.safetensors) directory, with its configuration and vocabulary",
		)
		.requiredOption("--to <dir>", "folder of the package to make")
		.addOption(
			new Option(
				"--storage <numbers>",
				"number format of the stored weights (default: int8)",
			).choices(storageFormats),
		)
		.addOption(
			new Option(
				"--compute <numbers>",
				"instead: number format in which a GPU stores and computes",
			)
				.choices(computeFormats)
				.conflicts(["storage", "quantize"]),
		)
		.addOption(
			new Option("--quantize <numbers>").choices(storageFormats).hideHelp(),
		)
		.addOption(
			new Option("--precision <numbers>")
				.choices(computeFormats)
				.conflicts(["storage", "quantize"])
				.hideHelp(),
		)
		.option("--name <name>", "the package's name (default: the folder's)")
		.option("--licence <name>", "licence of the weights, e.g. MIT")
		.option(
			"--licence-file <file>",
			"its text (default: LICENSE beside the weights)",
		)
		.option("--source <text>", "where the weights come from")
		.option("--replace", "replace an existing package")
		.action(action(convert));
}

async function convert(options: Options): Promise<void> {
	const stopped = new AbortController();
	const stop = () => stopped.abort();
	process.once("SIGINT", stop).once("SIGTERM", stop);
	let progress: Progress | undefined;
	try {
		const manifest = await convertModel(openOnnx(), {
			from: options.from,
			to: options.to,
			quantization: wantedNumbers(options),
			replace: options.replace ?? false,
			...given("name", options.name),
			...given("licence", options.licence),
			...given("source", options.source),
			...(options.licenceFile && {
				attachments: { LICENSE: readFileSync(options.licenceFile) },
			}),
			signal: stopped.signal,
			onProgress: (bytes, total) => {
				progress ??= openProgress("converting", total);
				progress.advance(bytes);
			},
		});
		progress?.close();
		const megabytes = (bytesOf(manifest) / 1e6).toFixed(1);
		print(`${options.to}: ${megabytes} MB, checked`);
	} catch (error) {
		progress?.close();
		if (!(error instanceof Error)) throw error;
		const why = stopped.signal.aborted ? "stopped" : error.message;
		process.stderr.write(`earshot: ${why}; nothing was written\n`);
		process.exitCode = 1;
	} finally {
		process.off("SIGINT", stop).off("SIGTERM", stop);
	}
}

/** Former names of options are reported on standard error. */
export function wantedNumbers(options: Options): Quantization {
	const { quantize, precision } = options;
	if (quantize) renamed("--quantize", "--storage");
	if (precision) renamed("--precision", "--compute");
	const compute = options.compute ?? precision;
	return compute
		? quantizationOf(compute)
		: (options.storage ?? quantize ?? "int8");
}

function renamed(old: string, now: string): void {
	process.stderr.write(`earshot: ${old} is now called ${now}\n`);
}

function given<K extends string>(key: K, value: string | undefined) {
	return value === undefined ? {} : ({ [key]: value } as Record<K, string>);
}
