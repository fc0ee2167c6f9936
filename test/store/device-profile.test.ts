import t from "tap";
import { openStore } from "../../runtime/store/open-store.js";

t.test("of two changes at the same time none is lost", async (t) => {
	const { profile, close } = await openStore({ dir: t.testdir(), as: "visit" });
	t.teardown(close);
	await Promise.all([
		profile.change({ name: "Kitchen" }),
		profile.change({ isSetUp: true }),
	]);
	t.same(profile.read(), { name: "Kitchen", isSetUp: true });
});
