/**
 * Checks that a statement runs on a database that is distributed by chain_id. It must work on the rows of one chain,
 * so that one node can execute it: at every level of the statement, each distributed table is compared with the same
 * parameter (`chain_id = $1`), directly or through equalities with another table at that level. An equality with a
 * column of an outer level, of a common table expression or of a function does not count, because the planner does not
 * derive from it which node has the rows.
 */
import { type LockingClause, type Node, parseSync, loadModule, type SelectStmt } from 'libpg-query';
import { checkBroadcast } from './check-broadcast.ts';
import { checkChanges, checkConflict } from './check-functions.ts';
import {
  bindRelations,
  conditionOfScope,
  type Level,
  newLevel,
  operandOf,
  type Output,
  type Relation,
  valueOf,
} from './levels.ts';
import { type Context, type Rule, type TableInfo, type Violation, type Volatility, visit } from './visit.ts';

export type { Rule, TableInfo, Violation, Volatility } from './visit.ts';

await loadModule();

export function checkStatement(text: string, catalog: { classOf: TableInfo; volatilityOf: Volatility }): Violation[] {
  const found = new Map<string, Violation>();
  const context: Context = {
    ...catalog,
    report: (rule, detail) => found.set(`${rule} ${detail}`, { rule, detail }),
    chains: new Set(),
  };
  const { stmts } = parseSync(text);
  for (const { stmt } of stmts ?? []) if (stmt) checkQuery(context, stmt, undefined);
  if (context.chains.size > 1) {
    context.report('chain', `tables are compared with different values: ${[...context.chains].join(', ')}`);
  }
  return [...found.values()];
}

function checkQuery(context: Context, node: Node, parent: Level | undefined): Output {
  if ('SelectStmt' in node) return checkSelect(context, node.SelectStmt, parent);
  if ('InsertStmt' in node) return checkInsert(context, node.InsertStmt, parent);
  if ('UpdateStmt' in node) {
    const { withClause, relation, fromClause = [], whereClause, targetList = [], returningClause } = node.UpdateStmt;
    const parts = { target: relation, from: fromClause, where: whereClause, set: targetList };
    return checkChange(context, { ...parts, withClause, returning: returningClause?.exprs ?? [] }, parent);
  }
  if ('DeleteStmt' in node) {
    const { withClause, relation, usingClause = [], whereClause, returningClause } = node.DeleteStmt;
    const parts = { target: relation, from: usingClause, where: whereClause, set: [] };
    return checkChange(context, { ...parts, withClause, returning: returningClause?.exprs ?? [] }, parent);
  }
  if ('CopyStmt' in node && node.CopyStmt.query) return checkQuery(context, node.CopyStmt.query, parent);
  const changed = 'MergeStmt' in node ? [node.MergeStmt.relation] : truncatedBy(node);
  for (const { relname = '' } of changed.filter((one) => one !== undefined)) {
    if (context.classOf(relname) === 'distributed')
      context.report('write', `MERGE and TRUNCATE change all of ${relname}`);
  }
  return [];
}

function truncatedBy(node: Node) {
  const relations = 'TruncateStmt' in node ? (node.TruncateStmt.relations ?? []) : [];
  return relations.map((one) => ('RangeVar' in one ? one.RangeVar : undefined));
}

function checkSelect(context: Context, select: SelectStmt, parent: Level | undefined): Output {
  const level = newLevel(parent);
  addCommonTables(context, select.withClause?.ctes, level, select.withClause?.recursive === true);
  if (select.larg && select.rarg) {
    const [left, right] = [checkSelect(context, select.larg, level), checkSelect(context, select.rarg, level)];
    return left.map((column, index) => ({ ...column, isChain: column.isChain && right[index]?.isChain === true }));
  }
  for (const item of select.fromClause ?? []) addFrom(context, item, level);
  addConditions(select.whereClause, level);
  bindRelations(level);
  const locked = lockedRelations(level, select.lockingClause ?? []);
  reportUnbound(context, level, (relation) => (locked.has(relation) ? 'lock' : 'chain'));
  for (const { table } of locked) {
    if (table !== undefined && context.classOf(table) === 'reference') {
      context.report('lock', `${table} is a reference table, so FOR UPDATE would lock it on every node`);
    }
  }
  const { fromClause: _, withClause: __, larg: ___, rarg: ____, ...rest } = select;
  checkExpressions(context, [rest, ...level.expressions], level);
  if (select.valuesLists) return valuesOutput(select, level);
  return outputOf(select.targetList ?? [], level);
}

type Change = {
  target: { relname?: string; alias?: { aliasname?: string } } | undefined;
  from: Node[];
  where: Node | undefined;
  set: Node[];
  returning: Node[];
  withClause: { ctes?: Node[]; recursive?: boolean } | undefined;
};

function checkChange(context: Context, change: Change, parent: Level | undefined): Output {
  const level = newLevel(parent);
  addCommonTables(context, change.withClause?.ctes, level, change.withClause?.recursive === true);
  const { relname = '', alias } = change.target ?? {};
  const target: Relation = { alias: alias?.aliasname ?? relname, table: relname };
  level.relations.push(target);
  for (const item of change.from) addFrom(context, item, level);
  addConditions(change.where, level);
  bindRelations(level);
  reportUnbound(context, level, (relation) => (relation === target ? 'write' : 'chain'));
  const { set, where, returning } = change;
  checkExpressions(context, [set, where, returning, ...level.expressions], level);
  if (isKnown(context, relname)) checkChanges(context, relname, set, { where, returning, from: change.from });
  return outputOf(returning, level);
}

function checkInsert(
  context: Context,
  insert: Extract<Node, { InsertStmt: unknown }>['InsertStmt'],
  parent: Level | undefined,
): Output {
  checkBroadcast(context, insert, parent);
  const level = newLevel(parent);
  addCommonTables(context, insert.withClause?.ctes, level, insert.withClause?.recursive === true);
  const table = insert.relation?.relname ?? '';
  const isDistributed = context.classOf(table) === 'distributed';
  const source = insert.selectStmt && 'SelectStmt' in insert.selectStmt ? insert.selectStmt.SelectStmt : undefined;
  const output = source ? checkSelect(context, source, level) : [];
  const names = (insert.cols ?? []).map((column) => ('ResTarget' in column ? column.ResTarget.name : undefined));
  const given = output[Math.max(0, names.indexOf('chain_id'))];
  const isBound = given?.isChain === true;
  if (isDistributed && !isBound) context.report('write', `${table} is written without a single chain_id`);
  if (
    isKnown(context, table) &&
    containsSelect([source?.valuesLists, insert.onConflictClause, insert.returningClause])
  ) {
    context.report('subquery', `a subquery in VALUES, ON CONFLICT or RETURNING of an INSERT into ${table}`);
  }
  if (isKnown(context, table)) checkConflict(context, table, insert.onConflictClause, insert.returningClause);
  const target: Relation = { alias: insert.relation?.alias?.aliasname ?? table, table };
  if (isBound) target.boundTo = 'inserted';
  const inner = newLevel(level);
  inner.relations.push(target, { alias: 'excluded', output: [{ name: 'chain_id', isChain: isBound }] });
  const returning = insert.returningClause?.exprs ?? [];
  checkExpressions(context, [insert.onConflictClause, returning], inner);
  return outputOf(returning, inner);
}

/** Whether the nodes know the table, so that a change of it is planned for a cluster. */
function isKnown({ classOf }: Context, table: string): boolean {
  return ['distributed', 'reference', 'coordinator'].includes(classOf(table) ?? '');
}

function addCommonTables(context: Context, ctes: Node[] | undefined, level: Level, isRecursive: boolean): void {
  for (const cte of ctes ?? []) {
    if (!('CommonTableExpr' in cte) || !cte.CommonTableExpr.ctequery) continue;
    const { ctename = '', ctequery, aliascolnames = [] } = cte.CommonTableExpr;
    if (isRecursive) level.ctes.set(ctename, []);
    level.ctes.set(ctename, renamed(checkQuery(context, ctequery, level), aliascolnames));
  }
}

/** Adds the tables of an item in FROM, and returns them. */
function addFrom(context: Context, item: Node, level: Level): Relation[] {
  if ('JoinExpr' in item) return addJoin(context, item.JoinExpr, level);
  const relation = relationOf(context, item, level);
  level.relations.push(relation);
  return [relation];
}

function relationOf(context: Context, item: Node, level: Level): Relation {
  if ('RangeVar' in item) {
    const { relname = '', alias } = item.RangeVar;
    const name = alias?.aliasname ?? relname;
    for (let at: Level | undefined = level; at; at = at.parent) {
      const output = at.ctes.get(relname);
      if (output) return { alias: name, output: renamed(output, alias?.colnames ?? []) };
    }
    return { alias: name, table: relname };
  }
  if ('RangeSubselect' in item && item.RangeSubselect.subquery) {
    const output = checkQuery(context, item.RangeSubselect.subquery, level);
    const { alias } = item.RangeSubselect;
    return { alias: alias?.aliasname ?? '', output: renamed(output, alias?.colnames ?? []) };
  }
  level.expressions.push(item);
  const alias = 'RangeFunction' in item ? item.RangeFunction.alias : undefined;
  return { alias: alias?.aliasname ?? '', output: renamed([], alias?.colnames ?? []) };
}

function addJoin(context: Context, join: Extract<Node, { JoinExpr: unknown }>['JoinExpr'], level: Level): Relation[] {
  const left = join.larg ? addFrom(context, join.larg, level) : [];
  const right = join.rarg ? addFrom(context, join.rarg, level) : [];
  // The condition of an outer join restricts only the side whose rows can be missing.
  const sides = { JOIN_LEFT: right, JOIN_RIGHT: left, JOIN_FULL: [] } as Record<string, Relation[]>;
  const binds = sides[join.jointype ?? ''];
  addConditions(join.quals, level, binds && new Set(binds));
  if (join.quals) level.expressions.push(join.quals);
  const isUsing = join.usingClause?.some((name) => 'String' in name && name.String.sval === 'chain_id');
  if (isUsing && left[0] && right[0]) {
    const equality = { one: { column: left[0] }, other: { column: right[0] } };
    level.equalities.push({ ...equality, ...(binds && { binds: new Set(binds) }) });
  }
  return [...left, ...right];
}

/** Adds the equalities of chain ids among the conditions that must all be true. */
function addConditions(condition: Node | undefined, level: Level, binds?: Set<Relation>): void {
  if (!condition) return;
  if ('BoolExpr' in condition && condition.BoolExpr.boolop === 'AND_EXPR') {
    for (const one of condition.BoolExpr.args ?? []) addConditions(one, level, binds);
  }
  const ofScope = conditionOfScope(condition);
  if (ofScope) addConditions(ofScope, level, binds);
  if (!('A_Expr' in condition) || condition.A_Expr.kind !== 'AEXPR_OP') return;
  const { name: [operator] = [], lexpr, rexpr } = condition.A_Expr;
  if (!(operator && 'String' in operator && operator.String.sval === '=') || !lexpr || !rexpr) return;
  const pairs: [Node | undefined, Node | undefined][] =
    'RowExpr' in lexpr && 'RowExpr' in rexpr
      ? (lexpr.RowExpr.args ?? []).map((one, index) => [one, rexpr.RowExpr.args?.[index]])
      : [[lexpr, rexpr]];
  for (const [one, other] of pairs) {
    const operands = [one && operandOf(one, level), other && operandOf(other, level)];
    const [first, second] = operands;
    if (first && second) level.equalities.push({ one: first, other: second, ...(binds && { binds }) });
  }
}

function reportUnbound(context: Context, level: Level, ruleOf: (relation: Relation) => Rule): void {
  for (const relation of level.relations) {
    if (relation.table === undefined || context.classOf(relation.table) !== 'distributed') continue;
    if (relation.boundTo === undefined) {
      context.report(ruleOf(relation), `${relation.table} is not bound to a chain by a parameter`);
    } else context.chains.add(relation.boundTo);
  }
}

function lockedRelations(level: Level, clauses: Node[]): Set<Relation> {
  const locked = clauses.flatMap((clause) => {
    const { lockedRels } = (clause as { LockingClause: LockingClause }).LockingClause;
    if (!lockedRels) return level.relations;
    const names = new Set(lockedRels.map((one) => ('RangeVar' in one ? one.RangeVar.relname : undefined)));
    return level.relations.filter(({ alias }) => names.has(alias));
  });
  return new Set(locked);
}

/** Checks the subqueries in expressions, and that no expression uses the physical place of a row. */
function checkExpressions(context: Context, expressions: unknown, level: Level): void {
  visit(expressions, (key, node) => {
    if (key === 'ColumnRef') {
      const last = (node as { fields?: Node[] }).fields?.at(-1);
      if (last && 'String' in last && last.String.sval === 'ctid') {
        context.report('ctid', 'ctid identifies a row on one node only');
      }
    }
    if (key !== 'SelectStmt') return true;
    checkSelect(context, node as SelectStmt, level);
    return false;
  });
}

function containsSelect(expressions: unknown): boolean {
  let hasSelect = false;
  visit(expressions, (key) => {
    hasSelect ||= key === 'SelectStmt';
    return true;
  });
  return hasSelect;
}

function outputOf(targets: Node[], level: Level): Output {
  return targets.flatMap((target) => {
    if (!('ResTarget' in target) || !target.ResTarget.val) return [];
    const { name, val } = target.ResTarget;
    const column = valueOf(val, level);
    return name === undefined ? column : [{ name, isChain: column[0]?.isChain === true }];
  });
}

/** Rows of values hold a chain id in a column if all of them do. */
function valuesOutput({ valuesLists = [] }: SelectStmt, level: Level): Output {
  const rows = valuesLists.map((row) => ('List' in row ? (row.List.items ?? []) : []));
  return (rows[0] ?? []).map((_, index) => ({
    name: `column${index + 1}`,
    isChain: rows.every((row) => row[index] !== undefined && valueOf(row[index], level)[0]?.isChain === true),
  }));
}

function renamed(output: Output, names: Node[]): Output {
  if (names.length === 0) return output;
  return names.map((name, index) => ({
    name: 'String' in name ? (name.String.sval ?? '') : '',
    isChain: output[index]?.isChain === true,
  }));
}
