import { type Command, wrongUsage } from "../command.ts";
import { complete } from "../complete.ts";

export const command: Command = {
  name: "completion",
  group: "setup",
  summary: "Print a script with which your shell completes commands, options, threads, takes and entries",
  usage: "<bash|zsh|fish>",
  apart: true,
  places: ["shell"],
  details: [
    'bash: eval "$(retake completion bash)" in ~/.bashrc',
    'zsh: eval "$(retake completion zsh)" in ~/.zshrc, after compinit',
    "fish: retake completion fish | source in ~/.config/fish/config.fish",
  ],
  options: { complete: { type: "boolean", hidden: true, about: "what the script asks for" } },
  examples: [
    ["retake completion bash > retake.bash", "a file to source"],
    ["retake completion fish", "see the script"],
  ],
  async run({ args, options, output, commands, world }) {
    if (options["complete"] === true) {
      const candidates = await complete(commands, args, world);
      return output.say({ candidates }, () => candidates.map(({ word, about }) => `${word}\t${about ?? ""}`));
    }
    const [shell = "", extra] = args;
    const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
    if (script === undefined || extra !== undefined)
      throw wrongUsage("Name your shell: retake completion bash, zsh or fish");
    output.say({ shell, script }, () => [{ exact: script }]);
  },
};

/** Each asks `retake completion --complete`, which prints one word a line and, after a tab, what it is. */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_retake_complete() {
  local word line
  COMPREPLY=()
  while IFS= read -r line; do
    word="\${line%%$'\\t'*}"
    COMPREPLY+=("$(printf %q "$word")")
  done < <("\${COMP_WORDS[0]}" completion --complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _retake_complete retake`,
  zsh: `_retake_complete() {
  local -a words_found
  local line
  for line in "\${(@f)$("\${words[1]}" completion --complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n "$line" ]] && words_found+=("\${line%%$'\\t'*}")
  done
  compadd -- "\${words_found[@]}" || _files
}
compdef _retake_complete retake`,
  fish: `function __retake_complete
  set -l words (commandline -opc) (commandline -ct)
  $words[1] completion --complete -- $words[2..] 2>/dev/null
end
complete -c retake -f -a '(__retake_complete)'`,
};
