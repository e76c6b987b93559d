import { Problem } from '../../contract/src/common.ts';
import { createSchemaComponents, pascal, type SchemaComponents } from '../../contract/src/openapi/schemas.ts';
import type { Route } from '../../contract/src/route.ts';
import { createDeclarations, type Language } from './declarations.ts';
import { eventTypes, problemTypes } from './problems.ts';

export type NamedRoute = [id: string, route: Route];

/**
 * The types of everything that an operation sends or returns, declared in a language. `used` returns those that the
 * texts need, directly or indirectly, followed by the events and the problems.
 */
export function contractModels(routes: NamedRoute[], language: Language) {
  const schemas = usedSchemas(routes);
  const types = createDeclarations(schemas.components(), language);
  return {
    schemas,
    types,
    /** Call it after the schemas of all operations were used. */
    declare(texts: string[]) {
      const events = eventTypes(schemas, types);
      // These have a more precise declaration than their schemas.
      const { Problem: _problem, FeedEvent: _event, ...components } = schemas.components();
      const models = new Map(Object.entries(components).map(([name, schema]) => [name, types.declare(name, schema)]));
      const problems = problemTypes(schemas, types);
      const used = usedModels(models, [...texts, events, problems], language);
      return { declarations: [...used, events, problems], names: Object.keys(components) };
    },
  };
}

/** The words in a declaration, apart from its documentation. */
export function wordsOf(text: string, { comments }: Language): Set<string> {
  return new Set(text.replaceAll(comments, '').match(/\w+/g));
}

/** Every schema that a request, a response or an event uses. */
function usedSchemas(routes: NamedRoute[]): SchemaComponents {
  const schemas = createSchemaComponents();
  schemas.use(Problem, 'Problem');
  for (const [id, { body, responses }] of routes) {
    if (body && body.form !== 'stream') schemas.use(body.schema, `${pascal(id)}Request`);
    for (const { schema, row } of Object.values(responses)) {
      if (schema) schemas.use(schema, `${pascal(id)}Response`);
      if (row) schemas.use(row, `${pascal(id)}Row`);
    }
  }
  return schemas;
}

/** The declarations that the texts use, directly or indirectly. */
function usedModels(models: ReadonlyMap<string, string>, texts: string[], language: Language): string[] {
  const used = new Set<string>();
  const visit = (text: string) => {
    for (const word of wordsOf(text, language)) {
      const declaration = models.get(word);
      if (declaration === undefined || used.has(word)) continue;
      used.add(word);
      visit(declaration);
    }
  };
  texts.forEach(visit);
  return [...models].filter(([name]) => used.has(name)).map(([, declaration]) => declaration);
}
