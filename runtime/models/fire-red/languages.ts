/** What every FireRedASR is trained for. Its symbols do not say so: lists of Chinese characters have some of Japanese, too. */
export const fireRedLanguages = [
	"zh-cmn-Hans-CN",
	"en-US",
	"zh-cmn-Hans-CN-en-US",
] as const;
