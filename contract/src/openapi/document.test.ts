import assert from 'node:assert/strict';
import test from 'node:test';
import { events } from '../events.ts';
import { routes } from '../index.ts';
import { openapiDocument } from './document.ts';

const partner = openapiDocument('partner', routes, '1.0.0');
const platform = openapiDocument('platform', routes, '1.0.0');

test('every event is documented as a webhook with its own schema', () => {
  const schemas = partner.components['schemas'] ?? {};
  for (const [type, { summary }] of Object.entries(events)) {
    const name = type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
    assert.equal((schemas[`${name}Event`] as Record<string, unknown>)['description'], summary);
    const text = JSON.stringify(partner.webhooks?.[type]);
    assert.ok(text.includes(`#/components/schemas/${name}Event`), type);
  }
});

test('every reference points to a component, and every component is referenced', () => {
  for (const document of [partner, platform]) {
    const text = JSON.stringify(document);
    const referred = new Set([...text.matchAll(/"#\/components\/(\w+\/\w+)"/g)].map(([, name]) => String(name)));
    const { securitySchemes: _, ...rest } = document.components;
    const defined = Object.entries(rest).flatMap(([section, entries]) =>
      Object.keys(entries).map((name) => `${section}/${name}`),
    );
    assert.deepEqual([...referred].toSorted(), defined.toSorted());
  }
});

test('every operation declares the parameters of its path, and every tag has a description', () => {
  for (const document of [partner, platform]) {
    for (const { name, description } of document.tags) assert.ok(description, name);
    const parameters = document.components['parameters'] as Record<string, Json>;
    for (const [path, operations] of Object.entries(document.paths)) {
      const expected = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const operation of Object.values(operations as Record<string, Json>)) {
        const references = (operation['parameters'] ?? []) as { $ref?: string }[];
        const declared = references.map(({ $ref = '' }) => parameters[$ref.split('/').at(-1) ?? '']);
        const inPath = declared.filter((one) => one?.['in'] === 'path').map((one) => one?.['name']);
        assert.deepEqual(inPath, expected, path);
      }
    }
  }
});

test('no two components in a document have the same content', () => {
  for (const document of [partner, platform]) {
    const seen = new Map<string, string>();
    for (const [name, schema] of Object.entries(document.components['schemas'] ?? {})) {
      const { description: _, ...content } = schema as Record<string, unknown>;
      if ('allOf' in content) continue;
      const text = JSON.stringify(content);
      assert.equal(seen.get(text), undefined, `${name} equals ${seen.get(text)}`);
      seen.set(text, name);
    }
  }
});

test('every property and every parameter has a description', () => {
  for (const document of [partner, platform]) {
    const missing: string[] = [];
    const refer = (part: Json): Json => {
      const reference = part['$ref'];
      if (typeof reference !== 'string') return part;
      const [, , section = '', name = ''] = reference.split('/');
      return { ...(document.components[section]?.[name] as Json), ...part };
    };
    const visit = (part: unknown, path: string): void => {
      if (typeof part !== 'object' || part === null) return;
      for (const [key, inner] of Object.entries(part)) {
        const isPart = typeof inner === 'object' && inner !== null;
        const described = isPart && (key === 'parameters' || key === 'properties') ? Object.entries(inner) : [];
        for (const [name, one] of described as [string, Json][]) {
          if (typeof refer(one)['description'] !== 'string') missing.push(`${path}/${key}/${name}`);
        }
        if (!key.startsWith('example') && key !== 'links') visit(inner, `${path}/${key}`);
      }
    };
    visit({ paths: document.paths, schemas: document.components['schemas'], webhooks: document.webhooks }, '');
    assert.deepEqual(missing, []);
  }
});

type Json = Record<string, unknown>;
