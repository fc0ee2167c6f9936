import t from "tap";
import { formatCpus, parseCpus } from "../../drivers/cpus/cpu-list.js";

t.test("lists of CPUs, as taskset writes them", (t) => {
	const lists: [list: string, cpus: number[]][] = [
		["0", [0]],
		["0-3", [0, 1, 2, 3]],
		["0,2-3,7", [0, 2, 3, 7]],
		["1023", [1023]],
	];
	for (const [list, cpus] of lists) {
		t.same(parseCpus(list), cpus);
		t.equal(formatCpus(cpus), list);
	}
	t.same(parseCpus("5,1-2,2"), [1, 2, 5], "in order, each once");
	t.equal(formatCpus([]), "");
	t.end();
});

t.test("what is no such list", (t) => {
	for (const list of ["", "a", "-1", "3-1", "1024", "0-99999", "1,", "1 2"])
		t.equal(parseCpus(list), undefined, list);
	t.end();
});
