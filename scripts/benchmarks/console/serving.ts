/** What a first visit loads, and how long serving it holds the main process in one piece (in processor time: other load does not count). */
import { connect } from "node:net";
import { judged, type Measurement } from "../report.js";

const kilobytesMax = 150;
const heldMsMax = 5;
const times = 100;
/** As many as a browser opens to one host. */
const connections = 6;

export async function firstLoad(url: string): Promise<readonly Measurement[]> {
	let bytes = 0;
	for (const name of await filesOf(url)) {
		const { headers, body } = await fetch(`${url}/console/${name}`);
		bytes += Number(headers.get("content-length"));
		await body?.cancel();
	}
	return [
		{
			what: "console: first load of the page, compressed",
			earshot: `${(bytes / 1000).toFixed(1)} kB`,
			goal: judged(`<= ${kilobytesMax} kB`, bytes <= kilobytesMax * 1000),
		},
	];
}

/** @param socket of the main process's watch (test/hostile/fixtures/watched.ts). */
export async function serving(
	url: string,
	socket: string,
): Promise<readonly Measurement[]> {
	const names = await filesOf(url);
	const visit = async () => {
		const waiting = [...names];
		const fetchAll = async () => {
			for (
				let name = waiting.shift();
				name !== undefined;
				name = waiting.shift()
			)
				await (await fetch(`${url}/console/${name}`)).arrayBuffer();
		};
		await Promise.all(Array.from({ length: connections }, fetchAll));
	};
	await visit();
	await longestTurnMs(socket);
	for (let i = 0; i < times; i++) await visit();
	const heldMs = await longestTurnMs(socket);
	return [
		{
			what: `console: main process held in one piece while ${times} first visits of ${names.length} files are served, ${connections} at once (processor time)`,
			earshot: `${heldMs.toFixed(1)} ms`,
			goal: judged(`< ${heldMsMax} ms`, heldMs < heldMsMax),
		},
	];
}

async function filesOf(url: string): Promise<readonly string[]> {
	const index = await (await fetch(`${url}/console/`)).text();
	const named = [...index.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)];
	return ["", ...named.map(([, name = ""]) => name)];
}

function longestTurnMs(path: string): Promise<number> {
	return new Promise((done, fail) => {
		const socket = connect(path);
		socket.on("error", fail);
		socket.once("data", (text) => {
			socket.destroy();
			done(Number(text));
		});
		socket.write("?");
	});
}
