import { stripVTControlCharacters } from 'node:util';
import { type AisleClient, createClient, isApiError } from '@aisle/sdk';
import { type Connection, type ConnectionOptions, findConnection } from './config/connection.ts';
import { UsageError } from './errors.ts';
import { createPaint, type Paint } from './terminal/paint.ts';
import { createProgress, type Progress } from './terminal/progress.ts';
import { type Cell, type Column, formatFields, formatTable } from './terminal/table.ts';
import { type Terminal, widthOf } from './terminal/terminal.ts';
import { jsonText, safeLines } from './terminal/text.ts';
import { relativeTime } from './terminal/time.ts';
import { userAgent } from './version.ts';

/** The options that every command has. */
export type GlobalOptions = ConnectionOptions & { json?: boolean; color?: boolean };

/** What a command works with. */
export type Context = {
  terminal: Terminal;
  options: GlobalOptions;
  isJson: boolean;
  paint: Paint;
  /** Throws if there are no credentials. */
  connection(): Connection;
  client(): AisleClient;
  /** With --json the value as JSON, otherwise the text. */
  show(value: unknown, text: () => string): void;
  /** One line of a stream: with --json the value as JSON on one line, otherwise the text. */
  showLine(value: unknown, text: () => string): void;
  /** A remark for people, on stderr; not with --json. */
  note(text: string): void;
  table(columns: readonly Column[], rows: readonly Cell[][]): string;
  fields(fields: readonly [string, Cell | undefined][]): string;
  progress(label: string): Progress;
  relative(timestamp: string): string;
  /** A command to copy, for the same server. */
  command(text: string): string;
};

export function createContext(terminal: Terminal, options: GlobalOptions): Context {
  const isJson = options.json === true;
  const isColored = options.color !== false && !isJson;
  const paint = createPaint(terminal, terminal.stdout, isColored);
  // One of the two outputs can be a file.
  const paintErrors = createPaint(terminal, terminal.stderr, isColored);
  const noteText =
    paintErrors('bold', 'x') === 'x' ? (text: string) => stripVTControlCharacters(safeLines(text)) : safeLines;
  const look = { width: widthOf(terminal.stdout), paint };
  let connection: Connection | undefined;
  let client: AisleClient | undefined;
  const findOnce = () => (connection ??= findConnection(terminal, options));
  return {
    terminal,
    options,
    isJson,
    paint,
    connection: findOnce,
    client: () => (client ??= connect(findOnce(), terminal.signal)),
    show: (value, text) => void terminal.stdout.write(`${isJson ? jsonText(value, 2) : safeLines(text())}\n`),
    showLine: (value, text) => void terminal.stdout.write(`${isJson ? jsonText(value) : safeLines(text())}\n`),
    note(text) {
      if (!isJson) terminal.stderr.write(`${noteText(text)}\n`);
    },
    table: (columns, rows) => formatTable(columns, rows, look),
    fields: (fields) => formatFields(fields, look),
    progress: (label) => createProgress(isJson ? { write() {} } : terminal.stderr, paintErrors, label),
    relative: (timestamp) => relativeTime(timestamp, terminal.now()),
    command: (text) =>
      `aisle ${text}${options.demo ? ' --demo' : options.profile ? ` --profile ${options.profile}` : ''}`,
  };
}

/** Creates a client with the user's credentials. Ctrl-C ends its requests, unless no signal is given. */
export function connect(connection: Connection, signal: AbortSignal | undefined): AisleClient {
  const { url, token, client_id, client_secret, chain_id } = connection;
  const common = { baseUrl: url, headers: { 'user-agent': userAgent }, chainId: chain_id, signal };
  if (token !== undefined) return createClient({ ...common, token });
  return createClient({ ...common, clientId: client_id ?? '', clientSecret: client_secret ?? '' });
}

/** The platform id of a store that can be given by the chain's own number. Events contain only the platform id. */
export async function findStoreId(context: Context, given: string | undefined): Promise<string | undefined> {
  if (given === undefined) return undefined;
  try {
    return (await context.client().getOutletStatus({ params: { vendor_id: given } })).vendor_id;
  } catch (error) {
    // A token without the scope for outlets can still be used with a platform id.
    if (isApiError(error, 'forbidden')) return given;
    throw error;
  }
}

/** The store from --store, or the default store of the profile. */
export function storeOf(context: Context, given: string | undefined): string {
  const store = given ?? context.connection().store;
  if (store !== undefined) return store;
  throw new UsageError(
    'Which store? Add --store with a platform id or your own store number.',
    'aisle outlets list shows the stores; aisle profile set-store STORE sets the default.',
  );
}
