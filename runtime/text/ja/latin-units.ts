/** Units in Latin letters. A numeral before one is an amount, whatever stands before it: 水三百cc, 体重六十kg. */
const unit =
	/(?:k?m(?:\/[hs])?|[cmμ]m|[kmμ]?g|[mdk]?[Ll]|cc|ha|[KMGT]B|[kMG]?Hz|k?W(?!杯)h?|k?V|k?cal|dB|hPa|mAh|fps|[kMG]bps)(?![A-Za-z])/y;

export function isLatinUnit(text: string, at: number): boolean {
	unit.lastIndex = at;
	return unit.test(text);
}
