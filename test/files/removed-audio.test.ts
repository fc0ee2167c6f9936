/** Audio that is removed while somebody fetches it is gone, as it is a moment later; it is no fault of the server. */
import { rmSync } from "node:fs";
import t from "tap";
import { AudioLinks } from "../../runtime/recordings/audio-links.js";
import { AudioShelf } from "../../runtime/store/audio-shelf.js";
import {
	sharedAudioFile,
	sharedAudioPath,
} from "../../runtime/tasks/shared-audio.js";
import { startFiles, wavBytes, wavFields } from "./running-files.js";

const links = new AudioLinks(Buffer.alloc(32, 7));
const gone = { http: 404, status: "100001" };

/** From now on a file is removed as soon as its size was read: what a task that is deleted does at times. */
function removeOnceMeasured(): () => void {
	const { size } = AudioShelf.prototype;
	AudioShelf.prototype.size = async function (id) {
		const bytes = await size.call(this, id);
		rmSync(this.path(id), { force: true });
		return bytes;
	};
	return () => {
		AudioShelf.prototype.size = size;
	};
}

t.test("between its measuring and its opening", async (t) => {
	const files = await startFiles(t, { links });
	const authorization = {
		Authorization: `Bearer ${await files.makeToken(["asr"])}`,
	};
	const uploaded = async () => {
		await files.upload({ ...wavFields, file: wavBytes(1) });
		return files.taskService.last;
	};
	const recording = async (format: string) => {
		const { data } = await files.recognize(`lang_type=en&audio_url=${format}`, {
			body: new Uint8Array(32_000),
			headers: authorization,
		});
		const { audio_url: url } = data as { audio_url: string };
		await (await fetch(url)).arrayBuffer(); // made when it is fetched first
		return url.slice(files.url.length);
	};
	const lent = sharedAudioFile((await uploaded()).audioId);
	const paths = {
		"audio of a task": `/v1/asrfile/tasks/${(await uploaded()).id}/audio`,
		"audio lent to another device": links.link(
			"",
			lent,
			Date.now() / 1000 + 3600,
			sharedAudioPath,
		),
		"a stored recording": await recording("wav"),
		"a stored recording as it was sent": await recording("pcm"),
	};
	t.teardown(removeOnceMeasured());
	for (const [what, path] of Object.entries(paths)) {
		t.match(await files.get(path), gone, what);
		t.match(await files.get(path), gone, `${what}: and later`);
	}
});

t.test("before it is cut or drawn", async (t) => {
	const files = await startFiles(t);
	await files.upload({ ...wavFields, file: wavBytes(1) });
	const { id, audioId } = files.taskService.last;
	rmSync(files.shelf.path(audioId));
	for (const what of ["audio?start=0&end=1", "peaks"])
		t.match(await files.get(`/v1/asrfile/tasks/${id}/${what}`), gone, what);
});
