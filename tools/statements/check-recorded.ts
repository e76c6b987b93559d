import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { tableClasses } from '../../server/src/cluster/tables.ts';
import type { RecordedStatement } from '../../server/test/support/record-statements.ts';
import { checkStatement, type Rule, type Volatility } from './check-statement.ts';
import { exceptions } from './exceptions.ts';

export type Finding = { place: string; rule: Rule; detail: string; text: string };

/**
 * Checks the statements that the test processes recorded in `folder`. Returns what is wrong: violations without an
 * exception, and in a complete run, exceptions that are not needed.
 */
export async function checkRecorded(folder: string, serverUrl: string, isComplete: boolean): Promise<string[]> {
  const statements = readRecorded(folder);
  const findings = findViolations(statements, await readVolatility(serverUrl));
  const wrong = findings
    .filter(({ place, rule }) => !exceptions.some((one) => one.place === place && one.rules.includes(rule)))
    .map(({ place, rule, detail, text }) => `${place} [${rule}] ${detail}\n${text}`);
  if (!isComplete) return wrong;
  if (statements.length < 400) wrong.push(`Only ${statements.length} statements were recorded.`);
  // A statement that depends on the timing, such as renewing a lease, is not executed in every run.
  const executed = new Set(statements.map(({ path, name }) => `${path}#${name}`));
  const known = exceptions.filter(({ place }) => executed.has(place) || !isFunction(place));
  const unneeded = known.flatMap(({ place, rules }) =>
    rules
      .filter((rule) => !findings.some((finding) => finding.place === place && finding.rule === rule))
      .map((rule) => `${place} no longer needs its exception [${rule}] in tools/statements/exceptions.ts.`),
  );
  return [...wrong, ...unneeded];
}

/** Whether a place (a path and the name of a function) exists. */
function isFunction(place: string): boolean {
  const [path = '', name = ''] = place.split('#');
  const file = new URL(`../../${path}`, import.meta.url);
  return existsSync(file) && readFileSync(file, 'utf8').includes(`function ${name}(`);
}

export function findViolations(statements: RecordedStatement[], volatilityOf: Volatility): Finding[] {
  const catalog = { classOf: (table: string) => tableClasses.get(table), volatilityOf };
  return statements.flatMap(({ text, path, name }) =>
    checkStatement(text, catalog).map((violation) => ({ ...violation, place: `${path}#${name}`, text })),
  );
}

function readRecorded(folder: string): RecordedStatement[] {
  const lines = readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').trim().split('\n'));
  return [...new Set(lines)].map((line) => JSON.parse(line) as RecordedStatement);
}

/** If a function has several variants, the least volatile one counts, because a name does not tell which is called. */
async function readVolatility(serverUrl: string): Promise<Volatility> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  const { rows } = await client
    .query<{ name: string; kind: string }>('select proname as name, min(provolatile) as kind from pg_proc group by 1')
    .finally(() => client.end());
  const kinds = new Map(rows.map(({ name, kind }) => [name, kind]));
  const named = { s: 'stable', v: 'volatile' } as const;
  return (name) => named[kinds.get(name) as keyof typeof named] ?? 'immutable';
}
