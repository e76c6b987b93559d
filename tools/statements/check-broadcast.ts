import type { InsertStmt, Node } from 'libpg-query';
import type { Level } from './levels.ts';
import { type Context, visit } from './visit.ts';

/**
 * Reports an INSERT … SELECT that involves every node. If the id of the chain is a column of a distributed table, the
 * node can execute the INSERT as a whole. If not, and it is a part of a statement, the results of other parts that it
 * reads are sent to every node. If it is the whole statement, these results stay on the coordinator; but the tables that
 * it reads are asked for on every node, because the parameters are not known when it is planned.
 */
export function checkBroadcast(context: Context, insert: InsertStmt, level: Level | undefined): void {
  const source = insert.selectStmt && 'SelectStmt' in insert.selectStmt ? insert.selectStmt.SelectStmt : undefined;
  const table = insert.relation?.relname ?? '';
  if (!source || source.valuesLists || context.classOf(table) !== 'distributed') return;
  const isCommon = (name: string) => isCommonTable(name, insert, level);
  const own = tablesIn(source.fromClause).filter(({ name }) => !isCommon(name));
  const index = (insert.cols ?? []).findIndex(
    (column) => 'ResTarget' in column && column.ResTarget.name === 'chain_id',
  );
  const given = source.targetList?.[index];
  const value = given && 'ResTarget' in given ? given.ResTarget.val : undefined;
  if (value && own.some(({ alias }) => alias === aliasOf(value))) return;
  const [sent] = level ? namesIn(source).filter(isCommon) : [];
  if (sent !== undefined) context.report('broadcast', `${sent} is sent to every node to insert it into ${table}`);
  const read = own.find(({ name }) => context.classOf(name) === 'distributed');
  if (!level && read) context.report('broadcast', `every node is asked for ${read.name} to insert into ${table}`);
}

function isCommonTable(name: string, insert: InsertStmt, level: Level | undefined): boolean {
  const own = insert.withClause?.ctes ?? [];
  if (own.some((cte) => 'CommonTableExpr' in cte && cte.CommonTableExpr.ctename === name)) return true;
  for (let at = level; at; at = at.parent) if (at.ctes.has(name)) return true;
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
function tablesIn(from: Node[] | undefined): { name: string; alias: string }[] {
  return (from ?? []).flatMap((item) => {
    if ('JoinExpr' in item)
      return tablesIn([item.JoinExpr.larg, item.JoinExpr.rarg].filter((one) => one !== undefined));
    if (!('RangeVar' in item)) return [];
    const { relname = '', alias } = item.RangeVar;
    return [{ name: relname, alias: alias?.aliasname ?? relname }];
  });
}

/** The table of a column such as `o.chain_id`. */
function aliasOf(value: Node): string | undefined {
  const [first] = 'ColumnRef' in value ? (value.ColumnRef.fields ?? []) : [];
  return first && 'String' in first ? first.String.sval : undefined;
}
