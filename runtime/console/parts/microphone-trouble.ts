/** What is wrong with a microphone of the device, in the language of the page: the device itself says it in English only. */
import type { ShownMicrophone } from "../../api/device/microphones.js";
import { language } from "../texts/language.js";
import { texts } from "../texts/texts.js";

const troubles = texts({
	en: {
		gone: "The microphone is not connected, or has another name than the configuration says",
		busy: "Another program uses the microphone",
		forbidden: "The program may not open the microphone",
		silent: "The microphone sends nothing",
		unfit: "The microphone does not record in the way that is configured",
		engine: "The recognizer is not ready",
		unknown: "The microphone can't be used",
	},
	zh: {
		gone: "麦克风未连接，或名称与配置不符",
		busy: "麦克风正被其他程序占用",
		forbidden: "程序没有打开麦克风的权限",
		silent: "没有收到麦克风的声音",
		unfit: "麦克风不支持所配置的录音方式",
		engine: "识别引擎尚未就绪",
		unknown: "麦克风无法使用",
	},
	ja: {
		gone: "マイクが接続されていないか、設定と名前が違います",
		busy: "ほかのプログラムがマイクを使っています",
		forbidden: "プログラムにマイクを開く権限がありません",
		silent: "マイクから音声が届きません",
		unfit: "マイクが設定どおりの録音に対応していません",
		engine: "認識エンジンの準備ができていません",
		unknown: "マイクを利用できません",
	},
});

type SoundWarning = ShownMicrophone["warning_codes"][number];
type Trouble = keyof ReturnType<typeof troubles>;

/** By the system's names of errors, as ALSA, and ffmpeg for streams, use them. */
const byCode: Readonly<Record<string, Trouble>> = {
	ENODEV: "gone",
	ENOENT: "gone",
	ENXIO: "gone",
	EBUSY: "busy",
	EACCES: "forbidden",
	EPERM: "forbidden",
	ETIMEDOUT: "silent",
	ENODATA: "silent",
	EINVAL: "unfit",
};

const warnings = texts<Readonly<Record<SoundWarning, string>>>({
	en: {
		"only-zeros": "Only silence arrives: it is muted or not connected.",
		"dc-offset": "The audio has a constant offset, which is removed.",
		clipping: "It is too loud: lower its volume.",
	},
	zh: {
		"only-zeros": "只收到静音：麦克风已静音或未连接。",
		"dc-offset": "声音含有直流偏移，已去除。",
		clipping: "音量过大：请调低麦克风音量。",
	},
	ja: {
		"only-zeros":
			"無音しか届きません。ミュートされているか、接続されていません。",
		"dc-offset": "音声に直流成分があります（取り除いています）。",
		clipping: "音が大きすぎます。マイクの音量を下げてください。",
	},
});

/** The device's own sentence, which follows, has the details. */
export function troubleText({
	phase,
	trouble,
	trouble_code: code,
}: Pick<ShownMicrophone, "phase" | "trouble" | "trouble_code">): string {
	const usual = phase === "waiting-for-engine" ? "engine" : "unknown";
	const sentence = troubles()[byCode[code] ?? usual];
	return language.value === "en"
		? `${sentence} (${trouble})`
		: `${sentence}（${trouble}）`;
}

/** @param code unknown ones, as of a newer device, stay as they are. */
export function warningText(code: SoundWarning): string {
	return warnings()[code] ?? code;
}
