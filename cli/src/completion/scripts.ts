export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/**
 * A script that asks `aisle complete` for what can follow, so that it is correct for every version. The exit code 1
 * means that the name of a file can follow.
 */
export const completionScripts: Record<Shell, string> = {
  bash: `# Completion for aisle. Add to ~/.bashrc: eval "$(aisle completion bash)"
_aisle() {
  local words
  if words=$(aisle complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null); then
    COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
  else
    COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
  fi
}
complete -o filenames -F _aisle aisle
`,
  zsh: `#compdef aisle
# Completion for aisle. Add to ~/.zshrc, after compinit: eval "$(aisle completion zsh)"
_aisle() {
  local found
  if found=$(aisle complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null); then
    compadd -- \${(f)found}
  else
    _files
  fi
}
compdef _aisle aisle
`,
  fish: `# Completion for aisle. Run once: aisle completion fish > ~/.config/fish/completions/aisle.fish
function __aisle_complete
  set -l words (commandline -opc) (commandline -ct)
  aisle complete -- $words[2..-1] 2>/dev/null
  or __fish_complete_path (commandline -ct)
end
complete -c aisle -f -a '(__aisle_complete)'
`,
};
