/**
 * Every section of the configuration. A new section is a file in sections/ and a line here.
 */
import { audiosocketSection } from "./sections/audiosocket.js";
import { authSection } from "./sections/auth.js";
import { callbackSection } from "./sections/callback.js";
import { callsSection } from "./sections/calls.js";
import { consoleSection } from "./sections/console.js";
import { endpointsSection } from "./sections/endpoints.js";
import { engineSection } from "./sections/engine.js";
import { filesSection } from "./sections/files.js";
import { fleetSection } from "./sections/fleet.js";
import { hotwordsSection } from "./sections/hotwords.js";
import { ingressSection } from "./sections/ingress.js";
import { limitsSection } from "./sections/limits.js";
import { logSection } from "./sections/log.js";
import { microphoneSection } from "./sections/microphone.js";
import { modelSection } from "./sections/model.js";
import { outboundSection } from "./sections/outbound.js";
import { recognitionSection } from "./sections/recognition.js";
import { serverSection } from "./sections/server.js";
import { stateSection } from "./sections/state.js";
import { supervisorSection } from "./sections/supervisor.js";
import { tasksSection } from "./sections/tasks.js";
import { tlsSection } from "./sections/tls.js";
import { updateSection } from "./sections/update.js";
import { voskSection } from "./sections/vosk.js";
import { wyomingSection } from "./sections/wyoming.js";
import type { ValuesOf } from "./setting.js";

export const configSections = {
	server: serverSection,
	tls: tlsSection,
	console: consoleSection,
	state: stateSection,
	auth: authSection,
	engine: engineSection,
	recognition: recognitionSection,
	model: modelSection,
	hotwords: hotwordsSection,
	limits: limitsSection,
	files: filesSection,
	endpoints: endpointsSection,
	outbound: outboundSection,
	tasks: tasksSection,
	callback: callbackSection,
	fleet: fleetSection,
	calls: callsSection,
	audiosocket: audiosocketSection,
	wyoming: wyomingSection,
	vosk: voskSection,
	ingress: ingressSection,
	supervisor: supervisorSection,
	update: updateSection,
	log: logSection,
};

/** Sections that may be repeated: `[[microphone]]`. */
export const configTables = { microphone: microphoneSection };

export type MicrophoneConfig = ValuesOf<typeof configTables>["microphone"];

export type Config = ValuesOf<typeof configSections> & {
	readonly microphone: readonly MicrophoneConfig[];
};
