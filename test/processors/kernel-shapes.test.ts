/** Our kernels, given inputs that do not fit together: refused, or computed where they do. scripts/fuzz does it under sanitizers. */
import t from "tap";
import { tryOddShapes } from "./kernel-shapes.property.js";
import { levels } from "./ways.js";

t.test(
	"inputs that do not fit together are refused",
	{
		skip: levels.length > 0 ? false : "this processor has no kernels",
	},
	(t) => {
		const { refused, computed } = tryOddShapes(1, 100);
		t.equal(refused + computed, 100);
		t.ok(refused > 40, `${refused} refused`);
		t.ok(computed > 20, `${computed} computed`);
		t.end();
	},
);
