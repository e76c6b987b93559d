import type { Node } from 'libpg-query';
import { type Context, visit } from './visit.ts';

/**
 * A change is sent to a node as text. Stable functions are computed before, once for the statement, unless they depend
 * on a row: inside CASE or COALESCE, or in a calculation with a column. Volatile functions are rejected.
 */
export function checkChanges(
  context: Context,
  table: string,
  set: Node[],
  others: { where: unknown; returning: unknown; from: unknown },
): void {
  reportStable(context, others.returning, 'in RETURNING');
  for (const name of functionsIn([set, others])) {
    if (context.volatilityOf(name) === 'volatile') {
      context.report('volatile', `${name}() in a change of ${table}; take its value before the statement`);
    }
  }
  visit([set, others], (key, node) => {
    if (key === 'CaseExpr' || key === 'CoalesceExpr') reportStable(context, node, 'inside CASE or COALESCE');
    if (key === 'A_Expr' && isCalculation(node) && hasColumn(node)) {
      reportStable(context, node, 'in a calculation with a column');
    }
    return key !== 'SelectStmt';
  });
  visit(set, (key, node) => {
    if (key !== 'CaseExpr') return key !== 'SelectStmt';
    visit(node, (inner) => {
      if (inner === 'SelectStmt') context.report('subquery', `a subquery inside CASE in a change of ${table}`);
      return true;
    });
    return false;
  });
}

export function checkConflict(context: Context, table: string, conflict: unknown, returning: unknown): void {
  reportStable(context, returning, 'in RETURNING');
  for (const name of functionsIn(conflict)) {
    if (context.volatilityOf(name) !== 'immutable') {
      context.report('volatile', `${name}() in ON CONFLICT of ${table}; use excluded`);
    }
  }
}

function reportStable(context: Context, tree: unknown, where: string): void {
  for (const name of functionsIn(tree)) {
    if (context.volatilityOf(name) === 'stable') context.report('volatile', `${name}() ${where}`);
  }
}

function functionsIn(tree: unknown): string[] {
  const names: string[] = [];
  visit(tree, (key, node) => {
    if (key === 'FuncCall') {
      const last = (node as { funcname?: Node[] }).funcname?.at(-1);
      if (last && 'String' in last) names.push(last.String.sval ?? '');
    }
    if (key === 'SQLValueFunction') names.push('now');
    return true;
  });
  return names;
}

function isCalculation(node: unknown): boolean {
  const [operator] = (node as { name?: Node[] }).name ?? [];
  return operator !== undefined && 'String' in operator && ['+', '-'].includes(operator.String.sval ?? '');
}

function hasColumn(tree: unknown): boolean {
  let isFound = false;
  visit(tree, (key) => {
    isFound ||= key === 'ColumnRef';
    return key !== 'SelectStmt';
  });
  return isFound;
}
