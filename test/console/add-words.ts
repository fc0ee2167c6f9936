/** From a Japanese correction to a word list: how a hotword is read is asked for, and what the device does not take is said. */
import type { BrowserContext } from "playwright-core";
import type { Test } from "tap";

/** @param context is signed in. @param url of the console */
export async function addWords(
	t: Test,
	context: BrowserContext,
	url: string,
): Promise<void> {
	const page = await context.newPage();
	const segment = {
		begin: "00:00:00,000",
		end: "00:00:02,000",
		seg_num: 1,
		transcript: "長谷川さんは来ます。",
		original: "長谷部さんは来ます。",
		lang_type: "ja-JP",
		confidence: 1,
		paragraph: 1,
	};
	await page.route(/\/v1\/asrfile\/result\?/, (route) =>
		route.fulfill({
			json: {
				status: "000000",
				message: "success",
				data: { file_name: "visitor.wav", result: [segment] },
			},
		}),
	);
	await page.goto(`${url}#/files/visitor`);
	await page.getByRole("button", { name: "Add to words" }).click();
	const dialog = page.getByRole("dialog");
	const field = (name: string) => dialog.getByLabel(name, { exact: true });
	t.equal(await field("What was heard").inputValue(), "長谷部");
	t.equal(await field("What is right").inputValue(), "長谷川");
	const newLists = dialog.getByRole("button", { name: "A new list" });
	const asHotword = newLists.first();
	t.ok(await asHotword.isDisabled(), "its reading is not known");
	await dialog.getByText("Fill in every field, and it can be added.").waitFor();
	await field("How it is read, in kana").fill("hasegawa");
	await asHotword.click();
	await dialog.getByText("its pronunciation is not kana (1)").waitFor();
	await field("How it is read, in kana").fill("はせがわ");
	await field("Category").fill("人名");
	await asHotword.click();
	await dialog.getByText("Added").waitFor();
	await field("What is right").fill("長谷川様");
	await newLists.last().click();
	await dialog.getByText("Added").nth(1).waitFor();
	const lists = async (kind: string) => {
		const listed = await context.request.get(
			`${new URL("../", url)}v1/${kind}?lang_type=ja-JP`,
		);
		const { data } = (await listed.json()) as { data: { list: unknown[] } };
		return data.list;
	};
	t.match(await lists("hotwords"), [{ name: "長谷川", amount: 1 }]);
	t.equal((await lists("hotwords")).length, 1, "none that is empty");
	t.match(await lists("correction-words"), [{ name: "長谷川様", amount: 1 }]);
	await page.close();
}
