import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import t, { type Test } from "tap";
import { allowedCpus, runOn } from "../../drivers/cpus/affinity.js";
import { chooseCpus, fastOf } from "../../drivers/cpus/choice.js";
import { kindsOf } from "../../drivers/cpus/kinds.js";
import { speedOf } from "../../drivers/cpus/speed.js";
import { checkCores } from "../../runtime/cli/checks/cores.js";

const a55 = "0x00000000412fd050";
const a76 = "0x00000000414fd0b0";

t.test("kinds of CPU, as the kernels of some boards describe them", (t) => {
	const rk3588 = sysfs(t, {
		cpu_capacity: [414, 414, 414, 414, 1024, 1024, 1024, 1024],
		"regs/identification/midr_el1": [a55, a55, a55, a55, a76, a76, a76, a76],
		"cpufreq/cpuinfo_max_freq": [
			1800000, 1800000, 1800000, 1800000, 2256000, 2256000, 2304000, 2304000,
		],
	});
	const eight = [0, 1, 2, 3, 4, 5, 6, 7];
	t.same(kindsOf(eight, rk3588), [
		[0, 1, 2, 3],
		[4, 5],
		[6, 7],
	]);
	t.same(kindsOf([5, 4], rk3588), [[5, 4]], "of those that may be used");
	const pi5 = sysfs(t, { cpu_capacity: [1024, 1024, 1024, 1024] });
	t.same(kindsOf([0, 1, 2, 3], pi5), [[0, 1, 2, 3]]);
	t.same(kindsOf([0, 1], join(t.testdir(), "nothing")), [[0, 1]]);
	t.end();
});

t.test("slow kinds are left out, nearly equal ones are not", (t) => {
	const kind = (cpus: number[], speed: number) => ({ cpus, speed });
	t.same(
		fastOf([kind([0, 1, 2, 3], 3.1), kind([4, 5], 9.8), kind([6, 7], 10)]),
		{ cpus: [4, 5, 6, 7], leftOut: [0, 1, 2, 3], leftOutSpeed: 0.31 },
	);
	t.same(fastOf([kind([0, 2], 10), kind([1, 3], 7)]), {
		cpus: [0, 1, 2, 3],
		leftOut: [],
	});
	t.end();
});

t.test("the computation that measures a CPU gives a speed", (t) => {
	const speed = speedOf();
	t.ok(speed > 0 && Number.isFinite(speed));
	t.end();
});

t.test("this machine", (t) => {
	const allowed = allowedCpus();
	t.teardown(() => runOn(allowed));
	const [first = 0] = allowed;

	t.same(chooseCpus("all"), { cpus: allowed, leftOut: [] });
	const { cpus, leftOut } = chooseCpus("auto");
	t.same(
		[...cpus, ...leftOut].sort((a, b) => a - b),
		allowed,
	);
	t.same(allowedCpus(), allowed, "measuring leaves the thread where it was");

	t.same(chooseCpus(String(first)).cpus, [first]);
	t.same(chooseCpus(`${first},1023`).leftOut, allowed.slice(1));
	t.throws(() => chooseCpus("1023"), /engine\.cores is 1023, but/);

	runOn([first]);
	t.same(allowedCpus(), [first]);
	t.throws(() => runOn([1023]), /may not run on CPU 1023/);
	t.same(chooseCpus("auto"), { cpus: [first], leftOut: [] });
	t.end();
});

t.test("doctor says which cores are used", (t) => {
	const choice = { cpus: [4, 5, 6, 7], leftOut: [0, 1, 2, 3] };
	t.match(
		checkCores(() => ({ ...choice, leftOutSpeed: 0.314 })),
		{ state: "ok", says: "4-7; not 0-3: 31 % as fast" },
	);
	t.match(
		checkCores(() => choice),
		{ says: "4-7; not 0-3: engine.cores does not name them" },
	);
	t.match(
		checkCores(() => chooseCpus("1023")),
		{ state: "broken", says: /may only run on/ },
	);
	t.end();
});

/** Files by mark, with a value for each CPU. */
function sysfs(
	t: Test,
	marks: Readonly<Record<string, readonly (string | number)[]>>,
): string {
	const folder = t.testdir();
	for (const [mark, values] of Object.entries(marks))
		for (const [cpu, value] of values.entries()) {
			const path = join(folder, `cpu${cpu}`, mark);
			mkdirSync(dirname(path), { recursive: true });
			writeFileSync(path, `${value}\n`);
		}
	return folder;
}
