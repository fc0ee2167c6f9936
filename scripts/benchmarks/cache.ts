/**
 * Where the peers live: outside the repository, made by `peers/setup` with the same variables.
 */
import { homedir } from "node:os";
import { join } from "node:path";

const { EARSHOT_BENCH_CACHE, XDG_CACHE_HOME, EARSHOT_BENCH_WHISPER_CT2 } =
	process.env;

export const cacheDirectory =
	EARSHOT_BENCH_CACHE ??
	join(XDG_CACHE_HOME ?? join(homedir(), ".cache"), "earshot-bench");

/** CTranslate2's whisper directory: the weights that all contenders run on. */
export const weightsDirectory =
	EARSHOT_BENCH_WHISPER_CT2 ?? join(cacheDirectory, "whisper-base");
