/** After the first pairing: what the device is called, which languages are used, and whether it hears. Whoever likes may come back later. */
import { useSignal } from "@preact/signals";
import { data } from "../../app/api.js";
import { goTo } from "../../app/router.js";
import { may, session } from "../../app/session.js";
import { SelectField } from "../../parts/fields.js";
import { Problem, reasonOf } from "../../parts/notice.js";
import { PageLanguage } from "../../parts/page-language.js";
import {
	choose,
	languageInUse,
	servedLanguages,
} from "../../parts/recognition-options.js";
import { Tabs } from "../../parts/tabs.js";
import { common } from "../../texts/common.js";
import { BrowserSource } from "../live/browser-source.js";
import { DeviceMicrophones } from "../live/device-microphones.js";
import { LiveText } from "../live/live-text.js";
import { liveTexts } from "../live/texts.js";
import { dismiss } from "./invitation.js";
import { setUpTexts } from "./set-up-texts.js";

export function SetUp() {
	const m = setUpTexts();
	const name = useSignal(session.value?.device.name ?? "");
	const wrong = useSignal("");
	const busy = useSignal(false);
	if (!may("admin")) return <Problem>{common().forbidden("admin")}</Problem>;
	const finish = async () => {
		if (busy.value) return;
		busy.value = true;
		wrong.value = "";
		try {
			await keep(name.value.trim());
			goTo("live");
		} catch (thrown) {
			wrong.value = reasonOf(thrown);
		}
		busy.value = false;
	};
	return (
		<>
			<header class="page-head">
				<h1>{m.title}</h1>
			</header>
			<div class="stack">
				<section class="card stack" aria-label={m.nameTitle}>
					<h2>{m.nameTitle}</h2>
					<label class="field">
						<span>{m.name}</span>
						<input
							maxLength={100}
							value={name.value}
							autocomplete="off"
							aria-describedby="name-hint"
							onInput={(event) => {
								name.value = event.currentTarget.value;
							}}
						/>
						<small id="name-hint">{m.nameHint}</small>
					</label>
				</section>
				<section class="card stack" aria-label={m.languageTitle}>
					<h2>{m.languageTitle}</h2>
					<Languages />
				</section>
				<SpeechTest />
				{wrong.value && <Problem>{wrong.value}</Problem>}
				<div class="row">
					<button
						type="button"
						class="button is-main"
						onClick={() => void finish()}
					>
						{busy.value ? m.keeping : m.done}
					</button>
					<button
						type="button"
						class="button"
						onClick={() => {
							dismiss();
							goTo("live");
						}}
					>
						{m.later}
					</button>
				</div>
			</div>
		</>
	);
}

/** @throws ApiError */
async function keep(typed: string): Promise<void> {
	// a host name that nobody has changed stays one
	const isSame = typed === session.value?.device.name;
	const json = { set_up: true, ...(!isSame && { name: typed }) };
	const kept = await data<{ readonly name: string; readonly set_up: boolean }>(
		"v1/device",
		{ method: "PATCH", json },
	);
	const { value } = session;
	if (!value) return;
	const { name, set_up } = kept;
	session.value = { ...value, device: { ...value.device, name, set_up } };
}

function Languages() {
	const m = setUpTexts();
	return (
		<>
			<PageLanguage label={m.ofPage} />
			<SelectField
				label={m.ofSpeech}
				value={languageInUse()}
				options={servedLanguages()}
				onChoose={(language) => choose({ language })}
			/>
			<small>{m.languageHint}</small>
		</>
	);
}

function SpeechTest() {
	const m = setUpTexts();
	const live = liveTexts();
	const source = useSignal<"browser" | "device">("browser");
	return (
		<section class="stack" aria-label={m.speechTestTitle}>
			<div class="card stack">
				<h2>{m.speechTestTitle}</h2>
				<p>{m.speechTestLead}</p>
			</div>
			<Tabs
				label={live.source}
				tabs={{ browser: live.browser, device: live.deviceMicrophone }}
				chosen={source.value}
				onChoose={(it) => {
					source.value = it;
				}}
			/>
			{source.value === "browser" ? <BrowserSource /> : <DeviceMicrophones />}
			<LiveText />
		</section>
	);
}
