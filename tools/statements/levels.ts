import type { Node } from 'libpg-query';

/** A column of a query, and whether it holds the id of the statement's chain in every row. */
export type Output = { name: string; isChain: boolean }[];

/** A table, or something with rows that has no name in the database: then it has an `output`. */
export type Relation = { alias: string; table?: string; output?: Output; boundTo?: string };

export type Operand = { column: Relation } | { value: string };

/** `chain_id = …`. If `binds` is given, the equality restricts only these. */
export type Equality = { one: Operand; other: Operand; binds?: Set<Relation> };

/** One level of a statement: what is in its FROM and WHERE. A subquery is a level of its own. */
export type Level = {
  relations: Relation[];
  equalities: Equality[];
  /** Expressions in FROM. */
  expressions: unknown[];
  ctes: Map<string, Output>;
  parent: Level | undefined;
};

export function newLevel(parent: Level | undefined): Level {
  return { relations: [], equalities: [], expressions: [], ctes: new Map(), parent };
}

/** Finds the tables that are compared with a value, directly or through other tables. */
export function bindRelations({ equalities }: Level): void {
  const boundTo = (operand: Operand) => ('value' in operand ? operand.value : operand.column.boundTo);
  let hasChanged = true;
  while (hasChanged) {
    hasChanged = false;
    for (const { one, other, binds } of equalities) {
      for (const [operand, source] of [
        [one, boundTo(other)],
        [other, boundTo(one)],
      ] as const) {
        if (!('column' in operand) || source === undefined || operand.column.boundTo !== undefined) continue;
        // What a common table expression returns says nothing about the tables it is joined with.
        if (operand.column.table === undefined || (binds && !binds.has(operand.column))) continue;
        operand.column.boundTo = source;
        hasChanged = true;
      }
    }
  }
}

/** A parameter, a constant, or the chain id of a relation at this level. */
export function operandOf(node: Node, level: Level): Operand | undefined {
  const value = constantOf(node);
  if (value !== undefined) return { value };
  const column = columnOf(node);
  if (column?.name !== 'chain_id') return undefined;
  const relation = findRelation(column, level);
  return relation && { column: relation };
}

/** The columns that an expression in the SELECT list adds. */
export function valueOf(node: Node, level: Level): Output {
  if (constantOf(node) !== undefined) return [{ name: '', isChain: true }];
  const column = columnOf(node);
  if (!column) return [{ name: '', isChain: false }];
  if (column.name === '*') return starOf(column.alias, level);
  for (let at: Level | undefined = level; at; at = at.parent) {
    const relation = findRelation(column, at);
    if (relation) return [{ name: column.name, isChain: isChain(relation, column.name) }];
  }
  return [{ name: column.name, isChain: false }];
}

function starOf(alias: string | undefined, { relations }: Level): Output {
  return relations
    .filter((relation) => alias === undefined || relation.alias === alias)
    .flatMap((relation) => relation.output ?? [{ name: 'chain_id', isChain: relation.boundTo !== undefined }]);
}

function isChain(relation: Relation, name: string): boolean {
  if (relation.output) return relation.output.some((column) => column.name === name && column.isChain);
  return name === 'chain_id' && relation.boundTo !== undefined;
}

function findRelation({ alias, name }: Column, { relations }: Level): Relation | undefined {
  if (alias !== undefined) return relations.find((relation) => relation.alias === alias);
  const has = ({ output }: Relation) => output === undefined || output.some((column) => column.name === name);
  return relations.find((relation) => has(relation) && (relation.output !== undefined || name === 'chain_id'));
}

type Column = { alias?: string; name: string };

function columnOf(node: Node): Column | undefined {
  if (!('ColumnRef' in node)) return undefined;
  const names = (node.ColumnRef.fields ?? []).map((field) => ('String' in field ? (field.String.sval ?? '') : '*'));
  const [alias, name] = names.length > 1 ? names.slice(-2) : [undefined, names[0]];
  return { name: name ?? '', ...(alias !== undefined && { alias }) };
}

/** A scalar parameter or constant. A parameter that is cast to an array holds the ids of several chains. */
function constantOf(node: Node): string | undefined {
  if ('ParamRef' in node) return `$${node.ParamRef.number}`;
  if ('A_Const' in node) return JSON.stringify(node.A_Const.sval ?? node.A_Const.ival ?? null);
  if (!('TypeCast' in node) || !node.TypeCast.arg || node.TypeCast.typeName?.arrayBounds) return undefined;
  return constantOf(node.TypeCast.arg);
}

/**
 * `$1 is null or chain_id = $1` (see `inScope`). On a distributed database the parameter is never null, and the planner
 * knows its value.
 */
export function conditionOfScope(condition: Node): Node | undefined {
  if (!('BoolExpr' in condition) || condition.BoolExpr.boolop !== 'OR_EXPR') return undefined;
  const [test, equality, ...rest] = condition.BoolExpr.args ?? [];
  if (!test || !('NullTest' in test) || test.NullTest.nulltesttype !== 'IS_NULL' || rest.length > 0) return undefined;
  if (!equality || !('A_Expr' in equality) || !equality.A_Expr.rexpr || !test.NullTest.arg) return undefined;
  const tested = constantOf(test.NullTest.arg);
  return tested !== undefined && tested === constantOf(equality.A_Expr.rexpr) ? equality : undefined;
}
