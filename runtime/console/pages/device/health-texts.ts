/** A health check in the language of the page. */
import type { HealthCheck } from "../../../api/health.js";
import { dateTime, number, texts } from "../../texts/texts.js";
import {
	type HealthCheckTexts,
	healthCheckTexts,
} from "./health-check-texts.js";

const healthTexts = texts<HealthCheckTexts>(healthCheckTexts);

/** @returns undefined for a code that this page does not know, as of a newer device. */
export function healthText({ code, values }: HealthCheck): string | undefined {
	const shown = <T>(value: T | undefined, as: (value: T) => string) =>
		value === undefined ? "" : as(value);
	return healthTexts()[code]?.({
		at: shown(values.at, dateTime),
		certain: shown(values.certain, dateTime),
		seconds: shown(values.seconds, number),
		minutes: shown(values.minutes, number),
	});
}

/** What has no translation: reasons of the system, names of processors and models. */
export function healthDetails({ values }: HealthCheck): string {
	const { reason, details = [] } = values;
	return [...(reason ? [reason] : []), ...details].join("; ");
}
