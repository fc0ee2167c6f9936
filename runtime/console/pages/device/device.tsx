/** Device: how it is, in its own words and numbers. */
import { useEffect } from "preact/hooks";
import type { HealthCheck } from "../../../api/health.js";
import { hrefTo } from "../../app/router.js";
import { may } from "../../app/session.js";
import { Icon } from "../../parts/icon.js";
import { Loading, Problem } from "../../parts/notice.js";
import { languageName } from "../../parts/options-texts.js";
import { common } from "../../texts/common.js";
import { bytes, clockTime, dateTime, list, number } from "../../texts/texts.js";
import { Card, Facts } from "./card.js";
import { ChartLater } from "./chart-later.js";
import { Engines } from "./engines.js";
import { healthDetails, healthText } from "./health-texts.js";
import { Log } from "./log.js";
import { Microphones } from "./microphones.js";
import { follow, isLost, type Status, status } from "./status.js";
import { deviceTexts } from "./texts.js";
import { Update } from "./update.js";
import { updateTexts } from "./update-texts.js";

export function DevicePage() {
	const m = deviceTexts();
	useEffect(() => (may("status") ? follow() : undefined), []);
	const now = status.value;
	return (
		<>
			<header class="page-head">
				<h1>{m.title}</h1>
				{may("admin") && (
					<a class="button" href={hrefTo("live", "set-up")}>
						{m.nameAndLanguage}
					</a>
				)}
			</header>
			{!may("status") && <Problem>{common().forbidden("status")}</Problem>}
			{may("status") && !now && (
				<Loading>
					{isLost.value ? common().unreachable : common().loading}
				</Loading>
			)}
			{now && (
				<div class="stack">
					{isLost.value && <Problem>{m.lost}</Problem>}
					<div class="cards-grid">
						<Health now={now} />
						<Overview now={now} />
						<Card title={m.engines}>
							<Engines now={now} />
						</Card>
						<Card title={m.chart} size="wide">
							<ChartLater />
						</Card>
						<Models now={now} />
						<Interfaces now={now} />
						<Card title={m.microphones}>
							<Microphones now={now} />
						</Card>
						<Surroundings now={now} />
						<Card title={updateTexts().title} size="double">
							<Update now={now} />
						</Card>
						{may("admin") && (
							<Card title={m.log} size="wide">
								<Log />
							</Card>
						)}
					</div>
				</div>
			)}
		</>
	);
}

/** As their protocols write themselves. */
const interfaceNames: Readonly<Record<string, string>> = {
	http: "HTTP",
	https: "HTTPS",
	openai: "OpenAI",
	realtime: "OpenAI Realtime",
	calls: "WebSocket",
	wyoming: "Wyoming",
	vosk: "Vosk",
	audiosocket: "AudioSocket",
	ingress: "Home Assistant",
};

interface Given {
	readonly now: Status;
}

function Health({ now }: Given) {
	const m = deviceTexts();
	return (
		<Card title={m.health}>
			<ul class="rows-list">
				{now.checks.map((check) => (
					<li key={check.name}>
						<div class="row is-apart">
							<strong>{checkName(check.name)}</strong>
							<span class={check.ok ? "badge is-good" : "badge is-bad"}>
								<Icon name={check.ok ? "check" : "warning"} />
								{check.ok ? m.works : m.trouble}
							</span>
						</div>
						<CheckText check={check} />
					</li>
				))}
			</ul>
		</Card>
	);
}

function CheckText({ check }: { readonly check: HealthCheck }) {
	const text = healthText(check);
	if (text === undefined) return <small lang="en">{check.says}</small>;
	const details = healthDetails(check);
	return (
		<small>
			{text}
			{details && <span lang="en"> ({details})</span>}
		</small>
	);
}

/** Those that this page knows, in its own language. */
function checkName(name: string): string {
	const names: Readonly<Record<string, unknown>> = deviceTexts();
	const known = names[`check-${name}`];
	return typeof known === "string" ? known : name;
}

function Overview({ now }: Given) {
	const m = deviceTexts();
	const { memory, disk, processor } = now;
	const facts: readonly (readonly [string, string])[] = [
		[m.version, now.version],
		[m.uptime, clockTime(now.uptime_seconds)],
		[m.clock, dateTime(now.at)],
		[m.processor, `${processor.model} × ${processor.cores}`],
		[m.load, number(processor.load, 2)],
		[
			m.memory,
			m.memoryOf(
				bytes(memory.total_bytes - memory.free_bytes),
				bytes(memory.total_bytes),
			),
		],
		[m.ownMemory, bytes(memory.resident_bytes)],
		[m.lag, `${number(now.lag_ms, 1)} ms`],
		[m.disk, m.diskFree(bytes(disk.free_bytes), bytes(disk.total_bytes))],
		[m.audio, bytes(disk.audio_bytes)],
	];
	return (
		<Card title={m.now}>
			<Facts facts={facts} />
		</Card>
	);
}

function Models({ now }: Given) {
	const m = deviceTexts();
	return (
		<Card title={m.models}>
			<ul class="rows-list">
				{now.models.map((it) => (
					<li key={it.name}>
						<div class="row is-apart">
							<strong>{it.name}</strong>
							{it.active && <span class="badge is-good">{m.active}</span>}
						</div>
						<small>
							{bytes(it.megabytes * 1e6)} ·{" "}
							{list(it.languages.map(languageName))}
						</small>
					</li>
				))}
			</ul>
		</Card>
	);
}

function Interfaces({ now }: Given) {
	const m = deviceTexts();
	return (
		<Card title={m.endpoints}>
			<ul class="rows-list">
				{now.endpoints.map(({ name, address, last_call: call }) => (
					<li key={name}>
						<div class="row is-apart">
							<strong>{interfaceNames[name] ?? name}</strong>
							{address ? (
								<span class="address number">{address}</span>
							) : (
								<span class="badge">{m.off}</span>
							)}
						</div>
						{address && (
							<small>
								{call
									? m.lastCall(
											dateTime(call.at),
											list([call.name, call.address].filter(Boolean)),
										)
									: m.noCall}
							</small>
						)}
					</li>
				))}
			</ul>
		</Card>
	);
}

function Surroundings({ now }: Given) {
	const m = deviceTexts();
	const { https, fleet } = now;
	const facts: readonly (readonly [string, string])[] = [
		[
			m.fleet,
			!fleet.configured
				? m.notConfigured
				: fleet.connected
					? m.connected
					: m.notConnected,
		],
		...(https
			? ([
					[m.validTo, dateTime(https.valid_to)],
					["SHA-256", https.certificate_sha256],
					...(https.authority_sha256
						? ([[m.authority, https.authority_sha256]] as const)
						: []),
				] as const)
			: ([[m.certificate, m.off]] as const)),
	];
	return (
		<Card title={m.around}>
			<Facts facts={facts} />
		</Card>
	);
}
