import assert from 'node:assert/strict';
import test from 'node:test';
import { Visitor } from 'rolldown/utils';
import { parseSource, type Source, sources } from './sources.ts';

test('there are no default exports, no enums, no decorators, and no classes except errors', () => {
  assert.deepEqual([...sources.values()].flatMap(findForbiddenForms), []);
});

test('the scan finds every forbidden construct', () => {
  const find = (text: string) => findForbiddenForms(parseSource('server/src/catalog/tasks.ts', text));
  assert.deepEqual(find('export class PriceError extends Error {}\nexport const a = 1;\n'), []);
  for (const text of [
    'export default 1;\n',
    'const a = 1; export { a as default };\n',
    'enum Color { Red }\n',
    'export const enum Color { Red }\n',
    'class Basket {}\n',
    'const Basket = class {};\n',
    'export abstract class Basket {}\n',
    'export class Basket extends Map {}\n',
    '@sealed class PriceError extends Error {}\n',
  ]) {
    assert.notDeepEqual(find(text), [], text.trim());
  }
});

function findForbiddenForms({ path, program }: Source): string[] {
  const found: string[] = [];
  const checkClass = ({ superClass: parent }: { superClass: { type: string } | null }) => {
    const name = parent?.type === 'Identifier' ? (parent as { name?: string }).name : undefined;
    if (!/(Error|Failure)$/.test(name ?? '')) found.push(`${path} has a class that is not an error`);
  };
  new Visitor({
    ExportDefaultDeclaration() {
      // Vite reads its configuration from the default export.
      if (path !== 'portal/vite.config.ts') found.push(`${path} has a default export`);
    },
    ExportSpecifier({ exported }) {
      if ('name' in exported && exported.name === 'default') found.push(`${path} has a default export`);
    },
    TSEnumDeclaration() {
      found.push(`${path} has an enum`);
    },
    Decorator() {
      found.push(`${path} has a decorator`);
    },
    ClassDeclaration: checkClass,
    ClassExpression: checkClass,
  }).visit(program);
  return found;
}
