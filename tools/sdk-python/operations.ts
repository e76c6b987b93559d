import { pascal, type SchemaComponents } from '../../contract/src/openapi/schemas.ts';
import type { Route, RouteResponse } from '../../contract/src/route.ts';
import type { Declarations, Field } from '../sdk/declarations.ts';
import type { NamedRoute } from '../sdk/models.ts';
import { isDownload, listStyle, operationRow, operationText, pathFields, queryFields } from '../sdk/operations.ts';
import { docstring, literal, parameterName, snake } from './python.ts';

/** The row of the table with what the package needs at run time. */
export function tableRow([id, route]: NamedRoute): string {
  const { method, path, access, retry, body, list, job, download } = operationRow(route);
  const values = { method, path, access, retry, body, job: job && snake(job), download, ...listValues(list) };
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const fields = given.map(([name, value]) => `${name}=${literal(value)}`).join(', ');
  return `    ${literal(snake(id))}: Operation(${fields}),\n`;
}

/** The methods of an operation: one that calls it, and those that read a whole list or the rows of a file. */
export function operationMethods(named: NamedRoute, schemas: SchemaComponents, types: Declarations): string {
  const [id, route] = named;
  const name = pascal(id);
  const parameters = parametersOf(named, schemas, types);
  const method = (suffix: string, result: string, call: string, text: string) =>
    methodText({ name: `${snake(id)}${suffix}`, operation: snake(id), parameters, result, call, text });
  const text = operationText(route).replace('@deprecated ', 'Deprecated: ');
  const responses = Object.values(route.responses);
  const see = `See \`${snake(id)}\`.`;
  if (isDownload(route)) {
    const row = responses.find((response) => response.row)?.row;
    const download = method('', 'Download', '_download', text);
    if (!row) return download;
    const type = types.typeOf(schemas.use(row, `${name}Row`));
    return `${download}\n${method('_rows', `Iterator[${type}]`, '_rows', `The rows of the file as objects, read as they are needed. ${see}`)}`;
  }
  const schemaOf = ({ schema = {} }: RouteResponse) => schemas.use(schema, `${name}Response`);
  const bodies = types.language.either([...new Set(responses.map((one) => types.typeOf(schemaOf(one))))]);
  const list = listStyle(route);
  if (list) {
    const item = types.itemOf(schemaOf(responses[0] ?? { description: '' }), list.items);
    return [
      method('', bodies, '_call', text),
      method('_all', `Iterator[${item}]`, '_all', `All items, read page by page as they are needed. ${see}`),
      method('_pages', `Iterator[${bodies}]`, '_pages', `All pages, read as they are needed. ${see}`),
    ].join('\n');
  }
  const job = responses.find((response) => response.job)?.job;
  if (!job) return method('', bodies, '_call', text);
  const immediate = responses.filter((response) => !response.job).map((one) => types.typeOf(schemaOf(one)));
  const finished = types.language.either([job === 'getCatalogJob' ? 'CatalogJob' : 'PromotionJob', ...immediate]);
  return method('', `AcceptedJob[${bodies}, ${finished}]`, '_job', text);
}

type Parameter = Field & { place: 'params' | 'query' | 'body' };

/** Everything that a method takes, by keyword: the required parameters first. */
function parametersOf([id, route]: NamedRoute, schemas: SchemaComponents, types: Declarations): Parameter[] {
  const all: Parameter[] = [
    ...pathFields(route, types).map((field) => ({ ...field, place: 'params' as const })),
    ...queryFields(route, types).map((field) => ({ ...field, place: 'query' as const })),
    ...(route.body ? [bodyParameter(id, route, schemas, types)] : []),
  ];
  const names = ['self', 'options', ...all.map(({ name }) => name)];
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new Error(`${id} has several parameters with the name ${repeated}.`);
  return all.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired));
}

function bodyParameter(id: string, { body }: Route, schemas: SchemaComponents, types: Declarations): Parameter {
  const isFile = body?.form === 'stream';
  const type = isFile ? 'FileBody' : types.typeOf(schemas.use(body?.schema ?? {}, `${pascal(id)}Request`));
  return { name: 'body', type, isRequired: body?.required === true, description: '', place: 'body' };
}

type Method = {
  name: string;
  operation: string;
  parameters: Parameter[];
  result: string;
  call: string;
  text: string;
};

function methodText({ name, operation, parameters, result, call, text }: Method): string {
  const given = parameters.map(({ name: one, type, isRequired }) => {
    const declared = `${parameterName(one)}: ${type}`;
    return `        ${isRequired ? declared : `${type.endsWith('None') ? declared : `${declared} | None`} = None`},\n`;
  });
  const described = parameters.filter(({ description }) => description);
  // The methods for lists and rows refer to the first method of the operation.
  const help = (name === operation ? described : []).map(
    (one) => `:param ${parameterName(one.name)}: ${String(one.description)}`,
  );
  const documentation = docstring([text, help.join('\n')].filter(Boolean).join('\n\n'), '        ');
  const dictionary = (place: Parameter['place']) =>
    `{${parameters
      .filter((one) => one.place === place)
      .map((one) => `${literal(one.name)}: ${parameterName(one.name)}`)
      .join(', ')}}`;
  const body = parameters.some((one) => one.place === 'body') ? 'body' : 'None';
  const options = '        options: RequestOptions | None = None,\n';
  const sent = `${literal(operation)}, ${dictionary('params')}, ${dictionary('query')}, ${body}, options`;
  return `    def ${name}(\n        self,\n        *,\n${given.join('')}${options}    ) -> ${result}:\n${documentation}        return self.${call}(${sent})\n`;
}

function listValues(list: ReturnType<typeof listStyle>) {
  return list ? { list_style: list.style, list_items: list.items } : {};
}
