/** Is there an ffmpeg that decodes all formats of the API? */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { broken, type Finding, ok } from "./finding.js";

const run = promisify(execFile);

const demuxers = ["aac", "amr", "flac", "matroska", "mov", "mp3", "ogg", "wav"];
/** Each of these decodes one of the formats; alternatives are separated by a bar. */
const decoders = [
	"aac",
	"amrnb|libopencore_amrnb",
	"amrwb|libopencore_amrwb",
	"flac",
	"mp3|mp3float",
	"opus|libopus",
	"pcm_alaw",
	"vorbis|libvorbis",
];

/** Of stored audio (`audio_url`). */
const encoders = ["libmp3lame"];

/** @param program a name on the PATH or an absolute path; ffprobe is beside it. */
export async function checkFfmpeg(program = "ffmpeg"): Promise<Finding[]> {
	return [await checkDecoding(program), await checkLimiter()];
}

async function checkDecoding(program: string): Promise<Finding> {
	const about = "ffmpeg";
	const install = "apt-get install ffmpeg";
	let version: string;
	let missing: string[];
	try {
		version = firstLine(await outputOf(program, "-version"));
		missing = [
			...lacking(demuxers, await outputOf(program, "-demuxers"), "demuxer"),
			...lacking(decoders, await outputOf(program, "-decoders"), "decoder"),
			...lacking(encoders, await outputOf(program, "-encoders"), "encoder"),
		];
		await outputOf(program.replace(/ffmpeg$/, "ffprobe"), "-version");
	} catch (error) {
		const { code, message, path } = error as NodeJS.ErrnoException;
		if (code === "ENOENT" && path?.endsWith("ffprobe"))
			return broken(
				about,
				"there is no ffprobe beside it: files in containers can't be taken",
				install,
			);
		const why = code === "ENOENT" ? "not installed" : message;
		return broken(about, `${why}: only raw PCM and WAV can be read`, install);
	}
	if (missing.length > 0)
		return broken(
			about,
			`${version} lacks ${missing.join(", ")}`,
			`use Debian's build: ${install}`,
		);
	return ok(about, version);
}

async function checkLimiter(): Promise<Finding> {
	const about = "prlimit";
	try {
		return ok(about, firstLine(await outputOf("prlimit", "--version")));
	} catch {
		return broken(
			about,
			"not installed: without it ffmpeg can't be limited and is not started",
			"apt-get install util-linux",
		);
	}
}

async function outputOf(program: string, argument: string): Promise<string> {
	const { stdout } = await run(program, [argument], {
		timeout: 20_000,
		maxBuffer: 4 * 1024 * 1024,
		env: { ...process.env, LC_ALL: "C" },
	});
	return stdout;
}

/** The table's second column contains names, some joined by commas. */
function lacking(
	wanted: readonly string[],
	table: string,
	kind: string,
): string[] {
	const available = new Set(
		table
			.split("\n")
			.map((line) => line.trim().split(/\s+/)[1] ?? "")
			.flatMap((names) => names.split(",")),
	);
	return wanted
		.filter((names) => !names.split("|").some((name) => available.has(name)))
		.map((names) => `${kind} ${names.split("|")[0]}`);
}

function firstLine(text: string): string {
	return (text.split("\n", 1)[0] ?? "").replace(/ Copyright.*/, "");
}
