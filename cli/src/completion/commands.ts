import { type CommandRow, defineCommand } from '../command.ts';
import { readConfigFile } from '../config/config-file.ts';
import { CliError } from '../errors.ts';
import { complete } from './complete.ts';
import { completionScripts, type Shell, shells } from './scripts.ts';

const completion = defineCommand<object, [Shell]>({
  name: 'completion',
  args: [{ name: '<shell>', description: 'bash, zsh or fish', choices: shells }],
  summary: 'Print the completion script for a shell',
  details: 'Prints a script that completes commands, options and names of profiles when you press Tab.',
  examples: [
    'completion bash >> ~/.bashrc',
    'completion zsh >> ~/.zshrc',
    'completion fish > ~/.config/fish/completions/aisle.fish',
  ],
  run(context, _options, shell) {
    context.terminal.stdout.write(completionScripts[shell]);
  },
});

/** Called by the completion scripts. */
export function completeCommand(commands: () => readonly CommandRow[]): CommandRow {
  return defineCommand<object, [string[]]>({
    name: 'complete',
    args: [{ name: '[words...]', description: 'the words after aisle; the last one is incomplete' }],
    summary: 'List what can follow the words of a command',
    details: 'Lists what can follow the words of a command. The scripts of aisle completion call it.',
    isHidden: true,
    examples: ['complete -- orders ""'],
    run(context, _options, words) {
      const profiles = Object.keys(readConfigFile(context.terminal).profiles);
      const found = complete(words, { commands: commands(), profiles });
      if (found === undefined) throw new CliError('The name of a file can follow.');
      context.terminal.stdout.write(found.map((word) => `${word}\n`).join(''));
    },
  });
}

export const completionCommands = [completion];
