import { Visitor } from 'rolldown/utils';
import { type FunctionInfo, lineAt, listFunctions } from './functions.ts';
import { packageOf, type Source } from './sources.ts';

/** Packages without I/O, which rules can import directly or indirectly. */
const purePackages = new Set(['typebox', 'node:crypto', 'node:zlib']);

const clocks = /\b(?:Date\.now|performance\.now|Temporal\.Now\.\w+|Math\.random|crypto\.\w+)\(|\bnew Date\(\)/;
const randomSources = /^(?:random|getRandomValues|newId|newToken)/;

export function isRule(path: string): boolean {
  return /^server\/src\/[^/]+\/rules\//.test(path) && !path.endsWith('.test.ts');
}

/** Finds the forbidden packages that a rule loads at run time, directly or indirectly. */
export function findImpurePackages(files: ReadonlyMap<string, Source>, source: Source): string[] {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const visit = ({ imports }: Source) => {
    for (const { target, isType } of imports) {
      if (isType || seen.has(target)) continue;
      seen.add(target);
      const next = files.get(target);
      if (next) visit(next);
      else packages.add(packageOf(target) ?? target);
    }
  };
  visit(source);
  return [...packages].filter((name) => !purePackages.has(name)).map((name) => `${source.path} must not load ${name}`);
}

/** Finds clock reads and random values. A rule gets these from its caller, for example with a `newId` parameter. */
export function findNondeterminism({ path, text, program }: Source): string[] {
  const calls = text.split('\n').flatMap((line, index) => {
    const [call] = clocks.exec(line.replace(/^\s*(\/\/|\*|\/\*\*).*/, '')) ?? [];
    return call ? [`${path}:${index + 1} must not call ${call})`] : [];
  });
  const imported: string[] = [];
  new Visitor({
    ImportSpecifier({ imported: one }) {
      if ('name' in one && randomSources.test(one.name)) imported.push(`${path} must not import ${one.name}`);
    },
  }).visit(program);
  return [...calls, ...imported];
}

const mutators = new Set(
  'push pop shift unshift splice sort reverse fill copyWithin set add delete clear append'.split(' '),
);

/** Finds the places where a function changes its arguments with an assignment, a delete or a mutating method. */
export function findMutations(source: Source): string[] {
  const functions = listFunctions(source);
  const found: string[] = [];
  const check = (changed: unknown, start: number) => {
    const name = rootOf(changed);
    if (name === undefined || !isParameter(functions, name, start)) return;
    found.push(`${source.path}:${lineAt(source.text, start)} must not change its argument ${name}`);
  };
  new Visitor({
    AssignmentExpression({ left, start }) {
      if (left.type === 'MemberExpression') check(left, start);
    },
    UpdateExpression({ argument, start }) {
      if (argument.type === 'MemberExpression') check(argument, start);
    },
    UnaryExpression({ operator, argument, start }) {
      if (operator === 'delete') check(argument, start);
    },
    CallExpression({ callee, arguments: [first], start }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      if (mutators.has(callee.property.name)) check(callee.object, start);
      const isAssign = callee.object.type === 'Identifier' && callee.object.name === 'Object';
      if (isAssign && callee.property.name === 'assign') check(first, start);
    },
  }).visit(source.program);
  return found;
}

/** Finds exported find… functions that throw or that call a get… function, which can throw. */
export function findThrowingFinds(source: Source): string[] {
  const finds = listFunctions(source).filter(({ name, isExported }) => isExported && /^find[A-Z]/.test(name ?? ''));
  const found: string[] = [];
  const check = (start: number, what: string) => {
    const around = finds.find((one) => one.start <= start && start < one.end);
    if (around) found.push(`${source.path}:${lineAt(source.text, start)} ${around.name} must not ${what}`);
  };
  new Visitor({
    ThrowStatement({ start }) {
      check(start, 'throw');
    },
    CallExpression({ callee, start }) {
      if (callee.type === 'Identifier' && /^get[A-Z]/.test(callee.name)) check(start, `call ${callee.name}`);
    },
  }).visit(source.program);
  return found;
}

/** Returns the name at the start of an expression such as `a.b[c].d`, ignoring parentheses, `!` and `as`. */
function rootOf(node: unknown): string | undefined {
  const { type, name, object, expression } = (node ?? {}) as Record<string, unknown>;
  if (type === 'Identifier') return name as string;
  if (type === 'MemberExpression') return rootOf(object);
  return expression === undefined ? undefined : rootOf(expression);
}

/** Returns whether the name is a parameter of a function that contains this offset. */
function isParameter(functions: FunctionInfo[], name: string, offset: number): boolean {
  return functions.some(({ start, end, parameters }) => start <= offset && offset < end && parameters.includes(name));
}
