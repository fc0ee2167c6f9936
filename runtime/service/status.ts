/** What the appliance is doing, in a line: what `systemctl status` shows. */

export interface AtWork {
	readonly address: string;
	readonly live: { readonly busy: number; readonly slots: number };
	readonly filesRunning: number;
	readonly filesWaiting: number;
}

export function statusLine(at: AtWork): string {
	const { address, live, filesRunning, filesWaiting } = at;
	const work = [
		...(live.busy > 0 ? [`${live.busy} of ${live.slots} streams`] : []),
		...(filesRunning > 0 ? [counted(filesRunning, "file")] : []),
		...(filesWaiting > 0 ? [`${counted(filesWaiting, "file")} waiting`] : []),
	];
	return `${address}: ${work.length > 0 ? work.join(", ") : "idle"}`;
}

function counted(count: number, what: string): string {
	return `${count} ${what}${count === 1 ? "" : "s"}`;
}
