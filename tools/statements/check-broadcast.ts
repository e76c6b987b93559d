import type { InsertStmt, Node } from 'libpg-query';
import type { Level } from './levels.ts';
import { type Context, visit } from './visit.ts';

/**
 * Reports a common table expression that inserts what another one returns. Such a result is sent to every node, unless
 * the id of the chain is a column of a distributed table, so that the node can execute the INSERT as a whole. The
 * statement at the top can insert such results, because they stay on the coordinator.
 */
export function checkBroadcast(context: Context, insert: InsertStmt, level: Level): void {
  const source = insert.selectStmt && 'SelectStmt' in insert.selectStmt ? insert.selectStmt.SelectStmt : undefined;
  const table = insert.relation?.relname ?? '';
  if (!source || source.valuesLists || context.classOf(table) !== 'distributed') return;
  const isCommon = (name: string | undefined) => name !== undefined && isCommonTable(name, level);
  const read = namesIn(source).filter(isCommon);
  const index = (insert.cols ?? []).findIndex(
    (column) => 'ResTarget' in column && column.ResTarget.name === 'chain_id',
  );
  const given = source.targetList?.[index];
  const alias = given && 'ResTarget' in given && given.ResTarget.val ? aliasOf(given.ResTarget.val) : undefined;
  if (read.length === 0 || tablesIn(source.fromClause).some((one) => one.alias === alias && !isCommon(one.name)))
    return;
  context.report(
    'broadcast',
    `${read[0]} is sent to every node, because a part of the statement inserts it into ${table}`,
  );
}

function isCommonTable(name: string, level: Level): boolean {
  for (let at: Level | undefined = level; at; at = at.parent) if (at.ctes.has(name)) return true;
  return false;
}

function namesIn(tree: unknown): string[] {
  const names: string[] = [];
  visit(tree, (key, node) => {
    if (key === 'RangeVar') names.push((node as { relname?: string }).relname ?? '');
    return true;
  });
  return names;
}

/** The tables in FROM with their aliases, without those in subqueries. */
function tablesIn(from: Node[] | undefined): { name: string | undefined; alias: string | undefined }[] {
  return (from ?? []).flatMap((item) => {
    if ('JoinExpr' in item)
      return tablesIn([item.JoinExpr.larg, item.JoinExpr.rarg].filter((one) => one !== undefined));
    if (!('RangeVar' in item)) return [];
    const { relname, alias } = item.RangeVar;
    return [{ name: relname, alias: alias?.aliasname ?? relname }];
  });
}

/** The table of a column such as `o.chain_id`. */
function aliasOf(value: Node): string | undefined {
  const [first] = 'ColumnRef' in value ? (value.ColumnRef.fields ?? []) : [];
  return first && 'String' in first ? first.String.sval : undefined;
}
