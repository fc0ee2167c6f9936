/** The real API with its file endpoints, a real shelf and probe, and a task service that only stores tasks. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFfmpeg } from "../../drivers/ffmpeg/decoder.js";
import { openProbe } from "../../drivers/ffmpeg/probe.js";
import type { AudioLinks } from "../../runtime/recordings/audio-links.js";
import { AudioShelf } from "../../runtime/store/audio-shelf.js";
import type { DiskLimits } from "../../runtime/store/disk-quota.js";
import type { PeaksRow } from "../../runtime/store/row-codec.js";
import { TaskCuts } from "../../runtime/tasks/task-cuts.js";
import { TaskPeaks } from "../../runtime/tasks/task-peaks.js";
import { type Answer, type RunningApi, startApi } from "../api/running-api.js";
import { pcmWav } from "../audio/wav-bytes.js";
import { outboundOf, patientOutbound } from "../outbound/places.js";
import { FakeTaskService } from "./fake-task-service.js";

export interface RunningFiles extends Omit<RunningApi, "token"> {
	/** With the scope files; its name is "tester". */
	readonly token: string;
	readonly taskService: FakeTaskService;
	readonly shelf: AudioShelf;
	/** Everything on the shelf's disk. */
	left(): readonly string[];
	/** @param fields undefined ones are omitted; `file` as a Blob or bytes. */
	upload(fields: Fields, path?: string, token?: string): Promise<Answer>;
	get(path: string, token?: string): Promise<Answer>;
}

export type Fields = Readonly<
	Record<string, string | Uint8Array | Blob | readonly string[] | undefined>
>;

interface Options {
	readonly disk?: DiskLimits;
	readonly overrides?: Parameters<typeof startApi>[1];
	/** `outbound.allow` */
	readonly allow?: readonly string[];
	readonly names?: Readonly<Record<string, readonly string[]>>;
	/** Signs links; present if files are shared with other devices. */
	readonly links?: AudioLinks;
}

type Parent = Parameters<typeof startApi>[0];

export async function startFiles(
	t: Parent,
	options: Options = {},
): Promise<RunningFiles> {
	// not in the testdir: the API's own start makes that anew
	const folder = mkdtempSync(join(tmpdir(), "earshot-shelf-"));
	const { disk = { bytesMax: 1e9, reserveBytes: 0 } } = options;
	const shelf = await AudioShelf.open(folder, disk);
	const taskService = new FakeTaskService();
	const drawn = new Map<string, PeaksRow>();
	const decoder = openFfmpeg();
	const api = await startApi(t, options.overrides, undefined, {
		taskService,
		shelf,
		peaks: new TaskPeaks({
			edits: {
				alone: (_id, act) => act(),
				peaks: (id) => drawn.get(id),
				putPeaks: async (id, row) => void drawn.set(id, row),
			},
			shelf,
			decoder,
			audioOf: (id) => taskService.audio(id),
		}),
		cuts: new TaskCuts({
			shelf,
			decoder,
			audioOf: (id) => taskService.audio(id),
		}),
		probe: openProbe({ decoder }),
		outbound: patientOutbound(outboundOf(options.allow, options.names)),
		...(options.links && { links: options.links }),
	});
	t.teardown(async () => rmSync(folder, { recursive: true, force: true }));
	taskService.keepEditsIn(api.store.database);
	const token = await api.makeToken(["files"]);
	const withToken = (it: string) => ({ Authorization: `Bearer ${it}` });
	return {
		...api,
		token,
		taskService,
		shelf,
		left: () => readdirSync(folder),
		upload: (fields, path = "/v1/asrfile/upload", by = token) =>
			api.ask(path, {
				method: "POST",
				headers: withToken(by),
				body: formOf(fields),
			}),
		get: (path, by = token) => api.ask(path, { headers: withToken(by) }),
	};
}

export const wavFields = { lang_type: "en-US", format: "wav" };

export function formOf(fields: Fields): FormData {
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) {
		if (value === undefined) continue;
		if (value instanceof Blob) form.append(name, value, "a.wav");
		else if (value instanceof Uint8Array)
			form.append(name, new Blob([value]), "a.wav");
		else for (const text of [value].flat()) form.append(name, text as string);
	}
	return form;
}

/** Silence. */
export function wavBytes(
	seconds: number,
	rateHz = 16000,
	channels = 1,
): Buffer {
	const frames = Math.floor(seconds * rateHz);
	return pcmWav(Buffer.alloc(frames * 2 * channels), rateHz, channels);
}
