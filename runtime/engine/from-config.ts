/**
 * Builds a lane from the configuration. The appliance and the command line build all their engines here.
 */

import { availableParallelism, totalmem } from "node:os";
import { join } from "node:path";
import { ownCommand } from "../config/own-program.js";
import type { Config } from "../config/schema.js";
import { bytesPerMegabyte } from "../config/sections/files.js";
import type { LogPort } from "../log/log-port.js";
import type { WorkerCommand } from "../process/worker-process.js";
import { Capacity } from "./capacity.js";
import { EngineLane, type LaneLimits } from "./lane.js";
import type { EngineSettings, LaneName } from "./protocol.js";
import { EngineSupervisor, type SupervisorLimits } from "./supervisor.js";

type LaneConfig = Pick<Config, "engine" | "recognition" | "model" | "state">;

/** A small model's matrices gain nothing from more threads. */
const threadsMax = 4;
/** Each copy takes memory. Unless the configuration says otherwise there are this many, */
const batchRecognizersMax = 2;
/** on devices with at least this much memory (4 GB, of which the kernel keeps some). */
const batchMemoryBytesMin = 3.5e9;
/** An engine that is never idle and uses too much memory is replaced no more often than this. */
const usedMsMin = 600_000;
/** Until the device's capacity has been measured. */
const liveSlotsPerCore = 4;

export interface ConfiguredLane {
	readonly lane: EngineLane;
	readonly supervisor: EngineSupervisor;
}

/** Nothing starts before `supervisor.start()` (live) or the first `lane.open()` (batch). */
export function createLane(
	name: LaneName,
	config: LaneConfig,
	log: LogPort,
	command: WorkerCommand = thisProgram(name),
): ConfiguredLane {
	const supervisor = new EngineSupervisor(
		command,
		engineSettings(name, config),
		supervisorLimits(name, config.engine),
		log,
	);
	const lane = new EngineLane(supervisor, laneLimits(name, config.engine));
	return { lane, supervisor };
}

export function engineSettings(
	lane: LaneName,
	{ engine, recognition, model, state }: LaneConfig,
): EngineSettings {
	const cores = Math.min(availableParallelism(), threadsMax);
	const threads = engine.threads || cores;
	return {
		lane,
		modelFolder: join(model.dir, model.name),
		languageFolders: languageFolders(model),
		voiceActivityFolder: join(model.dir, "silero-vad"),
		...(lane === "batch" && segmentationFolder(model)),
		...(model.second_ear && {
			secondEarFolder: join(model.dir, model.second_ear),
		}),
		speakerFolder: join(model.dir, model.speakers),
		threads,
		cores: engine.cores,
		processor: engine.processor,
		customProviders: engine.custom_providers,
		kernels: engine.kernels,
		recognizers: lane === "batch" ? batchRecognizers(engine, threads) : 1,
		beam: recognition.beam,
		partialMs: recognition.partial_milliseconds,
		spoolFolder: join(state.dir, "spool", lane),
		spoolBytesMax: engine.spool_megabytes_max * bytesPerMegabyte,
		verify: recognition.verify_model,
		niceness: lane === "batch" ? engine.batch_niceness : 0,
		idleOnly: lane === "batch" && engine.batch_idle_only,
	};
}

/** For an engine that is given files; others need no second detector. Nothing where none is wanted. */
export function segmentationFolder({
	dir,
	segmentation,
}: LaneConfig["model"]): Pick<EngineSettings, "segmentationFolder"> {
	return segmentation ? { segmentationFolder: join(dir, segmentation) } : {};
}

function languageFolders({
	dir,
	by_language,
}: LaneConfig["model"]): Record<string, string> {
	return Object.fromEntries(
		Object.entries(by_language).map(([language, name]) => [
			language,
			join(dir, name),
		]),
	);
}

/** More copies than threads would only get in each other's way. */
function batchRecognizers(
	{ batch_recognizers, processor }: Config["engine"],
	threads: number,
): number {
	if (processor !== "cpu" && processor !== "auto") return 1; // the CPU threads do not do the computing
	const affordable =
		totalmem() >= batchMemoryBytesMin ? batchRecognizersMax : 1;
	return Math.min(batch_recognizers || affordable, threads);
}

/** This program's own `engine` command. */
export function thisProgram(lane: LaneName): WorkerCommand {
	return ownCommand("engine", "--lane", lane);
}

function supervisorLimits(
	lane: LaneName,
	engine: Config["engine"],
): SupervisorLimits {
	return {
		readyMsMax: engine.ready_seconds_max * 1000,
		pingMs: engine.ping_seconds * 1000,
		pingMsMax: engine.ping_seconds_max * 1000,
		drainMsMax: engine.ping_seconds_max * 1000,
		rssBytesMax: engine.rss_megabytes_max * bytesPerMegabyte,
		usedMsMin,
		// no client waits for a file's engine, so it may take as long as an engine takes
		waitMsMax:
			1000 *
			(lane === "live" ? engine.queue_wait_seconds : engine.ready_seconds_max),
		backOffMs: engine.back_off_seconds * 1000,
		...(lane === "batch" && {
			idleMsMax: engine.batch_idle_seconds * 1000,
			...(engine.batch_patience_minutes > 0 && {
				boostAfterMs: engine.batch_patience_minutes * 60_000,
			}),
		}),
	};
}

function laneLimits(lane: LaneName, engine: Config["engine"]): LaneLimits {
	const cores = availableParallelism();
	const liveSlots =
		engine.live_slots || new Capacity(liveSlotsPerCore * cores, cores);
	return {
		slots: lane === "live" ? liveSlots : engine.batch_slots,
		queueMax: engine.queue_max,
		queueMsMax: engine.queue_wait_seconds * 1000,
		shareMax: engine.live_share_max,
		retryBytesMax: engine.retry_kilobytes_max * 1024,
		answerMsMax: engine.answer_seconds_max * 1000,
	};
}
