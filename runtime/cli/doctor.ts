/** `earshot doctor`: checks everything that the program depends on, and says what to do. Exit code 1 when something is broken. */
import type { Command } from "commander";
import {
	isExecutable,
	startedWithCompiledCode,
} from "../config/own-program.js";
import type { Config } from "../config/schema.js";
import { streamAccess } from "../microphones/from-config.js";
import { checkCards, checkMicrophone } from "./checks/audio.js";
import { checkCores } from "./checks/cores.js";
import { checkFfmpeg } from "./checks/ffmpeg.js";
import { broken, type Check, type Finding } from "./checks/finding.js";
import { checkKernels } from "./checks/kernels.js";
import {
	checkAlsa,
	checkClock,
	checkMemory,
	checkStateFolder,
} from "./checks/machine.js";
import { checkChoice, checkModels, checkSecondEar } from "./checks/models.js";
import { checkPorts } from "./checks/ports.js";
import { checkCode, checkNative, checkNode } from "./checks/program.js";
import { checkSettings } from "./checks/settings.js";
import { checkTls } from "./checks/tls.js";
import { checkWordLists } from "./checks/word-lists.js";
import { action, configFor, print, verb } from "./verb.js";

export function doctorCommand(): Command {
	const doctor = verb("doctor", "check this machine and say what to do")
		.option("--json", "as JSON")
		.action(action(examine));
	doctor
		.command("audio")
		.description("sound cards, and whether the configured microphones open")
		.action(action(examineAudio));
	return doctor;
}

async function examine(
	options: { json?: boolean },
	command: Command,
): Promise<void> {
	const { values: config } = configFor(command);
	await report(checksOf(config), options);
}

async function examineAudio(_: object, command: Command): Promise<void> {
	const { microphone, outbound } = configFor(command).values;
	const checks: Check[] = [
		() => checkAlsa(),
		() => checkCards(),
		...microphone.map(
			(it) => () =>
				checkMicrophone(it, undefined, undefined, streamAccess(it, outbound)),
		),
	];
	await report(checks, command.optsWithGlobals<{ json?: boolean }>());
}

async function report(
	checks: readonly Check[],
	options: { json?: boolean },
): Promise<void> {
	const findings: Finding[] = [];
	for (const check of checks) findings.push(...(await safely(check)));
	const healthy = findings.every((it) => it.state !== "broken");
	if (options.json) print(JSON.stringify({ healthy, findings }, null, 2));
	else for (const finding of findings) print(lineOf(finding));
	if (!healthy) process.exitCode = 1;
}

function checksOf(config: Config): Check[] {
	const { model, state } = config;
	return [
		checkNode,
		async () => checkCode(startedWithCompiledCode(), isExecutable),
		() =>
			checkNative("uWebSockets.js", async () =>
				(await import("../api/server/native.js")).loadNative(),
			),
		() =>
			checkNative("onnxruntime-node", async () =>
				(await import("../../drivers/onnx/session.js")).loadStockLibrary(),
			),
		async () =>
			checkKernels(
				(await import("../../drivers/onnx/session.js")).kernelsOf(
					config.engine.kernels,
				),
			),
		async () => {
			const { chooseCpus } = await import("../../drivers/cpus/choice.js");
			return checkCores(() => chooseCpus(config.engine.cores));
		},
		() => checkNative("lmdb", () => import("../store/database.js")),
		() => checkFfmpeg(),
		() => checkAlsa(),
		() => checkModels(model),
		async () => checkChoice(model.name),
		() => checkSecondEar(model),
		() => checkStateFolder(state.dir),
		() => checkMemory(),
		() => checkClock(),
		() => checkSettings(config),
		() => checkWordLists(config),
		() => checkPorts(config),
		() => checkTls(config),
	];
}

/** A check that throws is reported as a finding as well. */
async function safely(check: Check): Promise<Finding[]> {
	try {
		return [await check()].flat();
	} catch (error) {
		const why = (error as Error).message;
		return [broken("doctor", `a check failed: ${why}`, "report this")];
	}
}

const marks = { ok: "ok     ", warning: "WARNING", broken: "BROKEN " } as const;

function lineOf({ about, state, says, todo }: Finding): string {
	const line = `${marks[state]} ${about}: ${says}`;
	return todo ? `${line}\n        -> ${todo}` : line;
}
