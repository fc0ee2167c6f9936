/** `YYYY-MM-DD hh:mm:ss` in the appliance's time zone, the format of times in all responses (docs/interface.md sections 2.2, 2.5). */
export function localTimeText(unixSeconds: number): string {
	const time = new Date(unixSeconds * 1000);
	const date = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
	const clock = [time.getHours(), time.getMinutes(), time.getSeconds()];
	return `${date.map(twoDigits).join("-")} ${clock.map(twoDigits).join(":")}`;
}

function twoDigits(value: number): string {
	return String(value).padStart(2, "0");
}
