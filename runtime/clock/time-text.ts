/** `YYYY-MM-DD hh:mm:ss` by the appliance's own clock and time zone, as every answer writes a time (docs/interface.md sections 2.2, 2.5). */
export function localTimeText(unixSeconds: number): string {
	const time = new Date(unixSeconds * 1000);
	const date = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
	const clock = [time.getHours(), time.getMinutes(), time.getSeconds()];
	return `${date.map(twoDigits).join("-")} ${clock.map(twoDigits).join(":")}`;
}

function twoDigits(value: number): string {
	return String(value).padStart(2, "0");
}
