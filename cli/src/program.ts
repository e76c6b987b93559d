import { type Argument, Command, type CommanderError, type Option } from 'commander';
import { addCommand } from './command.ts';
import { commandGroups, commands } from './commands/index.ts';
import { exitCodes, exitCodeTexts } from './exit-codes.ts';
import { createPaint, type Paint } from './terminal/paint.ts';
import { type Terminal, widthOf } from './terminal/terminal.ts';
import { safeLines, wrap } from './terminal/text.ts';
import { version } from './version.ts';

/** Builds all commands. With --json, errors are only thrown, and not printed. */
export function createProgram(terminal: Terminal, args: readonly string[] = []): Command {
  const isJson = args.includes('--json');
  const paint = createPaint(terminal, terminal.stderr, !args.includes('--no-color'));
  const width = () => Math.min(terminal.stdout.columns ?? 80, 100);
  const program = new Command('aisle')
    .description('The command line for Aisle. Receives events, triggers and picks orders, pushes catalogs.')
    .version(version, '-V, --version', 'show the version')
    .option('--demo', 'use the demo chain of npm start, from data/demo.json')
    .option('--profile <name>', 'use the credentials of this profile')
    .option('--url <url>', 'the address of the server')
    .option('--json', 'print JSON, for scripts')
    .option('--no-color', 'print without colors; NO_COLOR does the same')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'Show the help of a command')
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions, argumentDescription })
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void (isJson || terminal.stderr.write(text)),
      outputError: (text, write) => write(usageText(text, paint, widthOf(terminal.stderr))),
      getOutHelpWidth: width,
      getErrHelpWidth: width,
    })
    .showHelpAfterError('Add --help for the options and examples.')
    .addHelpText('after', rootExamples())
    .exitOverride();
  for (const row of commands) addCommand(program, row, commandGroups, terminal);
  return program;
}

/** The version is shown in the help of the program only. A command can have another option with the same name. */
function visibleGlobalOptions({ parent, options: own }: Command): Option[] {
  const { options } = topOf(parent);
  const isOwn = (name: string | undefined) => own.some(({ long }) => long === name);
  return options.filter(({ long }) => parent !== null && long !== '--version' && !isOwn(long));
}

/** Without the list of choices, which the description of the command explains. */
function argumentDescription({ description }: Argument): string {
  return description;
}

function usageText(text: string, paint: Paint, width: number): string {
  return safeLines(inOurWords(text))
    .split('\n')
    .map((line) => {
      const indent = line.startsWith('Error:') ? 'Error: '.length : 0;
      return wrap(line, width - indent, indent).replace(/^Error:/, (word) => paint('red', word));
    })
    .join('\n');
}

/** What Commander would print, on one line. */
export function usageMessage({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'The command is incomplete. Add --help for the list of commands.';
  return inOurWords(message).replace(/^Error: /, '');
}

function inOurWords(text: string): string {
  const words = text.replace('command-argument value', 'the value');
  return words.replace(/^error: (.)/, (_, first: string) => `Error: ${first.toUpperCase()}`);
}

function topOf(command: Command | null): Command {
  if (command === null) return new Command();
  return command.parent ? topOf(command.parent) : command;
}

function rootExamples(): string {
  const codes = Object.entries(exitCodeTexts) as [keyof typeof exitCodes, string][];
  return `
Examples:
  $ aisle listen --demo --forward-to http://127.0.0.1:9000
  $ aisle trigger order.received --demo
  $ aisle orders pick --demo

Exit codes:
${codes.map(([name, text]) => `  ${String(exitCodes[name]).padEnd(4)} ${text}`).join('\n')}`;
}
