import { Argument, Command, Option } from 'commander';
import { createContext, type Context, type GlobalOptions } from './context.ts';
import type { Terminal } from './terminal/terminal.ts';

export type OptionRow = {
  /** As in `--store <id>`. */
  flags: string;
  description: string;
  choices?: readonly string[];
  /** Converts the text, and throws a `UsageError` if that is not possible. */
  parse?: (text: string) => unknown;
  /** The option can be given several times; the value is an array. */
  isRepeated?: true;
  isRequired?: true;
  default?: unknown;
  /** How the help shows the default, if it is not the text that the user would enter. */
  defaultText?: string;
};

export type ArgumentRow = { name: string; description: string; choices?: readonly string[] };

/** A command as data: help, completion and the tests that every command is documented are derived from it. */
export type CommandRow = {
  /** The words after `aisle`, as in `orders list`. */
  name: string;
  /** As in `<order>` (required), `[order]` (optional) or `<orders...>` (several). */
  args: readonly ArgumentRow[];
  summary: string;
  /** More about the command, shown in its help only. */
  details?: string;
  options: readonly OptionRow[];
  /** The words after `aisle`. */
  examples: readonly string[];
  /** Left out of the help. */
  isHidden?: true;
  run(context: Context, options: Record<string, unknown>, ...args: (string | string[] | undefined)[]): Promise<void>;
};

type Defined<Options, Args extends unknown[]> = Omit<CommandRow, 'run' | 'args' | 'options'> & {
  args?: readonly ArgumentRow[];
  options?: readonly OptionRow[];
  run(context: Context, options: Options, ...args: Args): Promise<void> | void;
};

/** Gives the parsed options and arguments of a command their types. */
export function defineCommand<Options = object, Args extends unknown[] = []>(
  definition: Defined<Options, Args>,
): CommandRow {
  return { args: [], options: [], ...definition } as unknown as CommandRow;
}

/** Adds the command to its group, which is created with the first command in it. */
export function addCommand(program: Command, row: CommandRow, groups: Record<string, string>, terminal: Terminal) {
  const words = row.name.split(' ');
  const last = words.pop() ?? '';
  const parent = words.reduce((group, word) => findGroup(group, word, groups[word] ?? ''), program);
  const command = parent
    .command(last, { hidden: row.isHidden ?? false })
    .summary(row.summary)
    .description(row.details ?? `${row.summary}.`);
  for (const { name, description, choices } of row.args) {
    const argument = new Argument(name, description);
    command.addArgument(choices ? argument.choices(choices) : argument);
  }
  for (const option of row.options) command.addOption(optionOf(option));
  command.addHelpText('after', examplesText(row.examples));
  command.action(async (...given: unknown[]) => {
    const args = given.slice(0, row.args.length) as (string | undefined)[];
    const { own, globals } = separateOptions(command, row.options);
    await row.run(createContext(terminal, globals), own, ...args);
  });
}

/**
 * An option of a command can have the name of a global one, which the command then does not have. Commander gives its
 * value to the program.
 */
function separateOptions(command: Command, rows: readonly OptionRow[]) {
  const own: Record<string, unknown> = command.opts();
  const globals: Record<string, unknown> = command.optsWithGlobals();
  const values: Record<string, unknown> = programOf(command).opts();
  for (const row of rows) {
    const name = optionOf(row).attributeName();
    const value = values[name];
    if (typeof value === 'string') own[name] = row.parse ? row.parse(value) : value;
    delete globals[name];
  }
  return { own, globals: globals as GlobalOptions };
}

function programOf(command: Command): Command {
  return command.parent ? programOf(command.parent) : command;
}

function findGroup(parent: Command, word: string, summary: string): Command {
  const found = parent.commands.find((one) => one.name() === word);
  return found ?? parent.command(word).summary(summary).description(`${summary}.`);
}

function optionOf(row: OptionRow): Option {
  const { flags, description, choices, parse, isRepeated, isRequired, default: value, defaultText } = row;
  const option = new Option(flags, description);
  if (choices) option.choices(choices);
  if (parse) option.argParser(parse);
  if (isRepeated) {
    option.argParser((text: string, previous: unknown) => [
      ...(Array.isArray(previous) ? previous : []),
      parse ? parse(text) : text,
    ]);
  }
  if (isRequired) option.makeOptionMandatory();
  if (value !== undefined) option.default(value, defaultText);
  return option;
}

function examplesText(examples: readonly string[]): string {
  return `\nExamples:\n${examples.map((example) => `  $ aisle ${example}`).join('\n')}`;
}
