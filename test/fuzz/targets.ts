/** Everything that scripts/fuzz can try. A file is loaded when its turn comes. */
import type { Target } from "./property.js";

const batch = () => import("../whisper/batch.property.js");
const openSegment = () => import("../published/open-segment.property.js");
const archives = () => import("../models-package/archives.property.js");
const anyField = () => import("../hostile/any-field.property.js");
const beam = () => import("../search/beam-search.property.js");
const biased = () => import("../search/biased-search.property.js");
const context = () => import("../search/context-graph.property.js");
const calls = () => import("../calls/anything.property.js");
const candidates = () => import("../search/lattice/candidates.property.js");
const crowd = () => import("../live/crowd.property.js");
const cuts = () => import("../audio/cuts.property.js");
const damage = () => import("../audio/damage.property.js");
const edits = () => import("../text/edits.property.js");
const file = () => import("../engine/recognition-job.property.js");
const fillers = () => import("../text/fillers.property.js");
const brokerKills = () => import("../fleet/kills.property.js");
const filterbank = () => import("../processors/filterbank.property.js");
const formats = () => import("../result/formats.property.js");
const kernels = () => import("../processors/kernels.property.js");
const kernelMemory = () => import("../processors/kernel-memory.property.js");
const kernelShapes = () => import("../processors/kernel-shapes.property.js");
const json = () => import("../json/json-parser.property.js");
const lists = () => import("../store/word-lists.property.js");
const logMel = () => import("../features/log-mel.property.js");
const ortGraph = () => import("../models-package/ort-graph.property.js");
const phrases = () => import("../text/phrases.property.js");
const pool = () => import("../engine/recognizer-pool.property.js");
const protocol = () => import("../live/protocol.property.js");
const reading = () => import("../text/ja/reading.property.js");
const realtime = () => import("../realtime/conversation.property.js");
const rules = () => import("../text/settled-rules.property.js");
const segmenter = () => import("../segmentation/segmenter.property.js");
const session = () => import("../session/live.property.js");
const soundAlike = () => import("../search/sound-alike.property.js");
const storeKills = () => import("../store/kills.property.js");
const speechRegions = () => import("../speakers/speech-regions.property.js");
const taskKills = () => import("../tasks/kills.property.js");
const transcripts = () => import("../result/transcripts.property.js");
const updateKills = () => import("../update/kills.property.js");
const uploads = () => import("../files/uploads.property.js");
const voices = () => import("../speakers/label-speakers.property.js");
const vosk = () => import("../vosk/protocol.property.js");
const wyoming = () => import("../wyoming/protocol.property.js");
const words = () => import("../words/rules.property.js");
const zhText = () => import("../text/zh/any-text.property.js");
const planted = () => import("./planted.property.js");

const table: Record<string, Target> = {
	"audio/any-bytes": async () => (await damage()).randomBytesAreJudged(),
	"audio/cuts": async () => (await cuts()).cutsMakeNoDifference(),
	"audio/damaged-wav": async () => (await damage()).damagedWavsAreJudged(),
	"calls/audiosocket": async () => (await calls()).audioSocketsLeaveNothing(),
	"calls/websocket": async () => (await calls()).callsLeaveNothing(),
	"engine/copies": async (t) => (await file()).copiesReportInOrder(t),
	"engine/pieces": async (t) => (await file()).readingMakesNoDifference(t),
	"engine/pool": async () => (await pool()).eachIsRecognizedOnce(),
	"engine/resume": async (t) => (await file()).jobsGoOn(t),
	"features/fft": async () => (await logMel()).transformIsAsDefined(),
	"features/log-mel": async () => (await logMel()).splitsMakeNoDifference(),
	"files/damaged": async (t) => (await uploads()).damagedFilesLeaveNothing(t),
	"files/forms": async (t) => (await uploads()).formsLeaveNothing(t),
	"fleet/kills": async () => (await brokerKills()).killsOfTheBroker(),
	"hostile/any-field": async (t) => (await anyField()).noFieldHoldsTheLoop(t),
	"json/parser": async () => (await json()).readsAsJsonParse(),
	"live/crowd": async (t) => (await crowd()).crowdsLeaveNothing(t),
	"live/protocol": async () => (await protocol()).promisesAreKept(),
	"models-package/archives": async (t) =>
		(await archives()).nothingElsewhereIsWritten(t),
	"models-package/ort-graph": async (t) =>
		(await ortGraph()).alteredGraphsAreRefused(t),
	"processors/filterbank": async () => (await filterbank()).nativeIsAsDefined(),
	"processors/filterbank-plan": async () =>
		(await filterbank()).alteredPlansAreRefused(),
	"processors/kernel-memory": async () =>
		(await kernelMemory()).kernelsStayInside(),
	"processors/kernel-shapes": async () =>
		(await kernelShapes()).shapesAreRefused(),
	"processors/kernels": async (t) => (await kernels()).kernelsAreAlike(t),
	"published/open-segment": async (t) =>
		(await openSegment()).openSegmentsChangeNothing(t),
	"realtime/conversation": async () => (await realtime()).itemsAreAnswered(),
	"result/subtitles": async () => (await formats()).ffmpegReadsWhatWasWritten(),
	"result/transcripts": async () => (await transcripts()).transcriptsAreWhole(),
	"search/beam": async () => (await beam()).bestOfAllWins(),
	"search/candidates": async () => (await candidates()).anyTextsAndSyllables(),
	"search/context-cuts": async () => (await context()).cutsMakeNoDifference(),
	"search/context-units": async () => (await context()).unitsAreAsFound(),
	"search/hotwords": async () => (await biased()).unsaidHotwordsChangeNothing(),
	"search/sound-alike": async () => (await soundAlike()).foundAsByComparing(),
	"search/written-text": async () => (await candidates()).unchangedTextsStay(),
	"segmentation/events": async () => (await segmenter()).eventsKeepTheirOrder(),
	"session/pace": async () => (await session()).paceMakesNoDifference(),
	"speakers/stretches": async () => (await speechRegions()).turnsCoverRegions(),
	"speakers/voices": async () => (await voices()).voicesAreFound(),
	"store/kills": async () => (await storeKills()).killsLoseNoChange(),
	"store/word-lists": async (t) => (await lists()).listsAreOnTheDisk(t),
	"tasks/kills": async () => (await taskKills()).killsLoseNothing(),
	"text/edits": async () => (await edits()).wordsStayWhole(),
	"text/phrases": async () => (await phrases()).foundAsByTrying(),
	"text/ja/reading": async () => (await reading()).readingLosesNothing(),
	"text/zh/any-text": async () => (await zhText()).writtenInOrder(),
	"update/kills": async () => (await updateKills()).killsOfTheBuilt(),
	"whisper/batch": async (t) => (await batch()).anyBatch(t),
	"vosk/protocol": async () => (await vosk()).messagesAreAnswered(),
	"words/rules": async () => (await words()).keptEntriesObeyTheRules(),
	"wyoming/protocol": async () => (await wyoming()).turnsAreAnswered(),
};

for (const folder of ["en", "ja", "zh"] as const)
	table[`text/${folder}/fillers`] = async () =>
		(await fillers()).fillersInOrder(folder);
for (const rule of ["speakNumbers", "writeNumbers"] as const)
	for (const folder of ["en", "ja", "zh", "zh-en", "ja-en"] as const)
		table[`text/${folder}/${rule}`] = async () =>
			(await rules()).settledRule(folder, rule);

/** A fault was planted in it: it is tried only when it is asked for. */
export const plantedName = "fuzz/planted";
table[plantedName] = async () => (await planted()).planted();

export const targets: ReadonlyMap<string, Target> = new Map(
	Object.entries(table),
);
