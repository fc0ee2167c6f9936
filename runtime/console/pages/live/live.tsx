/** Live: speak, and read what was understood. */
import { useSignal } from "@preact/signals";
import { place } from "../../app/router.js";
import { may } from "../../app/session.js";
import { Problem } from "../../parts/notice.js";
import { OptionsPanel } from "../../parts/options-panel.js";
import { Tabs } from "../../parts/tabs.js";
import { common } from "../../texts/common.js";
import { Invitation } from "../first-run/invitation.js";
import { SetUp } from "../first-run/set-up.js";
import { BrowserSource } from "./browser-source.js";
import { ClipSource } from "./clip-source.js";
import { DeviceMicrophones } from "./device-microphones.js";
import { LiveText } from "./live-text.js";
import { liveTexts } from "./texts.js";

export function LivePage() {
	return place.value[1] === "set-up" ? <SetUp /> : <Live />;
}

function Live() {
	const m = liveTexts();
	const source = useSignal<"browser" | "clip" | "device">("browser");
	const sources = {
		browser: m.browser,
		clip: m.clip,
		...(may("status") && { device: m.deviceMicrophone }),
	};
	return (
		<>
			<header class="page-head">
				<h1>{m.title}</h1>
			</header>
			<div class="stack">
				<Invitation />
				<div class="columns">
					<div class="stack">
						<Tabs
							label={m.source}
							tabs={sources}
							chosen={source.value}
							onChoose={(it) => {
								source.value = it;
							}}
						/>
						{source.value !== "device" && !may("asr") && (
							<Problem>{common().forbidden("asr")}</Problem>
						)}
						{source.value === "browser" && may("asr") && <BrowserSource />}
						{source.value === "clip" && may("asr") && <ClipSource />}
						{source.value === "device" && <DeviceMicrophones />}
						<LiveText />
					</div>
					<OptionsPanel />
				</div>
			</div>
		</>
	);
}
