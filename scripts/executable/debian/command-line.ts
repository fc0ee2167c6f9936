/** The command line written down: as a manual page (man(7)) and as completions for bash, both from the commands themselves. */
import type { Command } from "commander";

/** Words that a command may be followed by, by the words that name it: "" is the program itself. */
export function bashCompletion(program: Command): string {
	const cases = [...commandsOf(program, "")].map(([path, command]) => {
		const words = [
			...visible(command).map((it) => it.name()),
			...optionsOf(command).flatMap((it) => it.long ?? it.short ?? []),
		];
		return `    "${path}") words="${words.join(" ")}" ;;`;
	});
	return `# Completions of earshot for bash; made from its command line.
_earshot() {
  local path="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) continue ;; esac
    case "$path $word" in
${[...commandsOf(program, "")]
	.filter(([path]) => path !== "")
	.map(
		([path]) =>
			`      "${path.includes(" ") ? path : ` ${path}`}") path="${path}" ;;`,
	)
	.join("\n")}
    esac
  done
  case "$path" in
${cases.join("\n")}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _earshot earshot
`;
}

export function manualPage(program: Command, version: string): string {
	const commands = [...commandsOf(program, "")].filter(([path]) => path !== "");
	return `.TH EARSHOT 1 "" "earshot ${version}" "User Commands"
.SH NAME
earshot \\- ${escaped(lowerFirst(program.description().replace(/\.$/, "")))}
.SH SYNOPSIS
.B earshot
[\\fB\\-\\-set\\fR \\fIsection.key=value\\fR]... \\fIcommand\\fR [\\fIoption\\fR]...
.SH DESCRIPTION
An appliance that turns speech into text where it is spoken. \\fBearshot serve\\fR is what the service runs; the other commands look after it.
.SH OPTIONS
${optionLines(program)}
.SH COMMANDS
${commands.map(([path, command]) => commandLines(path, command)).join("\n")}
.SH EXIT STATUS
0: done; 1: it could not be done; 2: it was asked for wrongly.
.SH FILES
.TP
.I /etc/earshot/earshot.toml
configuration; every key stands there with its default
.TP
.I /var/lib/earshot
what the service keeps
.TP
.I /usr/share/earshot/models
model packages
`;
}

function commandLines(path: string, command: Command): string {
	const words = command.registeredArguments.map((it) => {
		const name = it.variadic ? `${it.name()}...` : it.name();
		return it.required ? `<${name}>` : `[${name}]`;
	});
	const title = [path, ...words].join(" ");
	return `.SS "earshot ${escaped(title)}"
${escaped(command.description())}
${optionLines(command)}`;
}

function optionLines(command: Command): string {
	return optionsOf(command)
		.map(
			({ flags, description }) =>
				`.TP\n.B ${escaped(flags)}\n${escaped(description)}`,
		)
		.join("\n");
}

function* commandsOf(
	command: Command,
	path: string,
): Generator<[string, Command]> {
	yield [path, command];
	for (const inner of visible(command))
		yield* commandsOf(inner, `${path} ${inner.name()}`.trim());
}

function visible(command: Command): readonly Command[] {
	return command
		.createHelp()
		.visibleCommands(command)
		.filter((it) => it.name() !== "help");
}

function optionsOf(command: Command) {
	return command
		.createHelp()
		.visibleOptions(command)
		.filter((it) => it.long !== "--help");
}

/** Of troff: a dash is a hyphen unless it is escaped, and a line must not begin with a dot. */
function escaped(text: string): string {
	return text
		.replaceAll("\\", "\\e")
		.replaceAll("-", "\\-")
		.replace(/^(['.])/, "\\&$1");
}

function lowerFirst(text: string): string {
	return text.charAt(0).toLowerCase() + text.slice(1);
}
