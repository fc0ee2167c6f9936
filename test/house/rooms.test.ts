/** Rooms, the folders of runtime/ and drivers/, import each other in one direction: no room is above another and below it (docs/architecture.md). */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import t from "tap";

/** `runtime/session/events.ts` is in `runtime/session`; a file that lies in runtime/ itself is a room of its own. */
function roomOf(file: string): string {
	return file.split("/").slice(0, 2).join("/");
}

function importsOf(file: string): string[] {
	const text = readFileSync(file, "utf8");
	const found = text.matchAll(/(?:import|export)\s[^;"]*?from "(\.[^"]+)"/g);
	return Array.from(found, ([, path = ""]) =>
		normalize(join(dirname(file), path)).replace(/\.js$/, ".ts"),
	);
}

function arrows(): Map<string, Map<string, string>> {
	const from = new Map<string, Map<string, string>>();
	for (const top of ["runtime", "drivers"])
		for (const name of readdirSync(top, { recursive: true, encoding: "utf8" }))
			if (name.endsWith(".ts"))
				for (const target of importsOf(join(top, name))) {
					const [here, there] = [roomOf(join(top, name)), roomOf(target)];
					const reached = from.get(here) ?? new Map<string, string>();
					if (here !== there)
						reached.set(there, `${join(top, name)} imports ${target}`);
					from.set(here, reached);
				}
	return from;
}

t.test("no room imports one that imports it, directly or not", (t) => {
	const from = arrows();
	t.ok(from.size > 30, `${from.size} rooms`);
	const done = new Set<string>();
	const circle = (
		room: string,
		way: readonly string[],
	): string[] | undefined => {
		if (done.has(room)) return undefined;
		for (const [next, why] of from.get(room) ?? []) {
			const at = [...way, room].indexOf(next);
			const found =
				at >= 0 ? [next, why] : circle(next, [...way, room])?.concat(why);
			if (found) return found;
		}
		done.add(room);
		return undefined;
	};
	for (const room of from.keys()) t.equal(circle(room, []), undefined, room);
	t.end();
});
