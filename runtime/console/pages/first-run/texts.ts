import { texts } from "../../texts/texts.js";

export const firstRunTexts = texts({
	en: {
		title: "Sign in to this device",
		ended: "Your session has ended. Sign in once more.",
		lead: "On the device, type this command. It shows a code, and a QR code for a telephone.",
		field: "Pairing code, or an access token",
		hint: "Eight letters, good once and for ten minutes",
		enter: "Sign in",
		entering: "Signing in",
	},
	zh: {
		title: "登录这台设备",
		ended: "登录已失效，请重新登录。",
		lead: "请在设备上输入此命令。它会显示配对码，以及供手机扫描的二维码。",
		field: "配对码或访问令牌",
		hint: "八个字符，十分钟内有效，只能使用一次",
		enter: "登录",
		entering: "正在登录",
	},
	ja: {
		title: "この本体にサインイン",
		ended:
			"サインインの期限が切れたか、取り消されました。もう一度サインインしてください。",
		lead: "本体で次のコマンドを実行してください。コードと、スマートフォン用の QR コードが表示されます。",
		field: "ペアリングコードまたはアクセストークン",
		hint: "8 文字。10 分間有効で、1 回だけ使えます",
		enter: "サインイン",
		entering: "サインインしています",
	},
});
