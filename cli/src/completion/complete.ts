import type { CommandRow } from '../command.ts';

const globalOptions = ['--demo', '--profile', '--url', '--json', '--no-color', '--help'];
const globalsWithValue = new Set(['--profile', '--url']);

export type CompletionSources = { commands: readonly CommandRow[]; profiles: readonly string[] };

/**
 * What can follow the given words, of which the last one is incomplete. Returns undefined if it is the name of a file.
 */
export function complete(words: readonly string[], { commands, profiles }: CompletionSources): string[] | undefined {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const previous = before.at(-1) ?? '';
  const { command, args } = findCommand(before, commands);
  const option = command?.options.find((one) => namesOf(one.flags).includes(previous));
  if (option?.choices) return startingWith(option.choices, typed);
  if (previous === '--profile') return startingWith(profiles, typed);
  if (option && hasValue(option.flags)) return /file/i.test(option.flags) ? undefined : [];
  if (globalsWithValue.has(previous)) return [];
  if (typed.startsWith('-')) {
    const own = command?.options.flatMap(({ flags }) => namesOf(flags)) ?? [];
    return startingWith([...own, ...globalOptions], typed);
  }
  if (!command) return startingWith(nextWords(args, commands), typed);
  return completeArgument(command, args.length, typed, profiles);
}

function completeArgument(
  { name, args }: CommandRow,
  position: number,
  typed: string,
  profiles: readonly string[],
): string[] | undefined {
  const argument = args[position] ?? (args.at(-1)?.name.includes('...') ? args.at(-1) : undefined);
  if (argument?.choices) return startingWith(argument.choices, typed);
  if (name.startsWith('profile ') && argument?.name === '<name>') return startingWith(profiles, typed);
  return /file/.test(argument?.name ?? '') ? undefined : [];
}

/** The command that the words name, and the words that follow it, without options and their values. */
function findCommand(words: readonly string[], commands: readonly CommandRow[]) {
  const plain: string[] = [];
  let command: CommandRow | undefined;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (word.startsWith('-')) {
      const flags = command?.options.find((one) => namesOf(one.flags).includes(word))?.flags;
      if (globalsWithValue.has(word) || (flags && hasValue(flags))) index++;
      continue;
    }
    plain.push(word);
    command ??= commands.find(({ name }) => name === plain.join(' '));
  }
  return { command, args: plain.slice(command?.name.split(' ').length ?? 0) };
}

function nextWords(words: readonly string[], commands: readonly CommandRow[]): string[] {
  const prefix = words.map((word) => `${word} `).join('');
  const shown = commands.filter(({ name, isHidden }) => !isHidden && name.startsWith(prefix));
  const next = shown.map(({ name }) => name.slice(prefix.length).split(' ')[0] ?? '');
  return [...new Set([...next, ...(words.length === 0 ? ['help'] : [])])];
}

function startingWith(values: readonly string[], typed: string): string[] {
  return values.filter((value) => value.startsWith(typed));
}

function namesOf(flags: string): string[] {
  return flags.match(/(?<![\w<])--?[a-z][a-z-]*/g) ?? [];
}

function hasValue(flags: string): boolean {
  return /[<[]/.test(flags);
}
