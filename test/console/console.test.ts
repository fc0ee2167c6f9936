/** The console in a real browser, on a real appliance: what its visitor does on each page. Each file beside this one has a part of it. */
import t from "tap";
import { noChromium } from "../fixtures/chromium-file.js";
import { addWords } from "./add-words.js";
import { watched } from "./chromium.js";
import { equippedDevice } from "./device-microphones.js";
import { devicePages, restarts } from "./device-pages.js";
import { everyPage } from "./every-page.js";
import { filesOnTheirWay } from "./files-on-their-way.js";
import { filesPage } from "./files-page.js";
import { firstSteps } from "./first-steps.js";
import { hostilePages } from "./hostile-pages.js";
import { keyboardPath } from "./keyboard.js";
import { lateAnswers } from "./late-answers.js";
import { livePage } from "./live-page.js";
import { longTranscript } from "./long-transcript.js";
import { signingIn } from "./signing-in.js";
import { slowPages } from "./slow-pages.js";
import { clip, startVisit } from "./visit.js";
import { wordsPage } from "./words-page.js";

if (noChromium) console.error(`skipped: ${noChromium}`);

t.test("the console", { skip: noChromium, timeout: 1_800_000 }, async (t) => {
	const visit = await startVisit();
	t.teardown(() => visit.dispose());
	const { earshot, browser, main, url } = visit;

	await signingIn(t, visit);
	await livePage(t, visit);
	await firstSteps(t, visit);
	const task = await filesPage(t, visit);
	await wordsPage(t, visit);
	await devicePages(t, visit);

	await t.test("the main path goes without a mouse", async (t) => {
		const { context, page, errors } = await watched(browser, {
			locale: "en-US",
		});
		await keyboardPath(t, page, {
			url: earshot.url,
			code: await visit.code(),
		});
		t.same(errors, []);
		await context.close();
	});

	await t.test("a part of it that is late, or never comes", (t) =>
		slowPages(t, main.context, url),
	);

	await t.test("answers that are late, and a device that starts again", (t) =>
		lateAnswers(t, main.context, url, task),
	);

	await t.test(
		"Device shows and mutes microphones, and what an update changes",
		(t) => equippedDevice(t, main.context, url),
	);

	await t.test("files on their way are not lost by a slip", (t) =>
		filesOnTheirWay(t, main.context, url),
	);

	await t.test("a long transcript is printed as a whole", (t) =>
		longTranscript(t, main.context, url),
	);

	await t.test("a Japanese correction becomes a hotword", (t) =>
		addWords(t, main.context, url),
	);

	await t.test("nothing that the device says runs as a program", async (t) => {
		const other = await visit.signedIn();
		await hostilePages(t, other.page, task, clip);
		await other.context.close();
	});

	await everyPage(t, visit, task);
	await restarts(t, visit);

	t.same(
		main.errors.filter((it) => !/status of 415/.test(it)),
		[],
		"nothing went wrong in the page",
	);
	t.same(main.elsewhere, [], "it asked no other host");
});
