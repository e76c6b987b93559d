import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Route } from '@aisle/contract/route';
import type { FastifyReply } from 'fastify';

/**
 * A page may hold 500 orders of 1,000 lines: shaping and writing it at once would keep everybody else waiting for
 * seconds. So lists are written item by item, and a large one goes out in slices, with a turn for others in between.
 */
export type ListResponse = { noun: string | undefined; item: unknown };

/** What a handler may give for an answer: its lists can be anything that gives the items one after the other. */
export type Listed<Response> = Response extends { status: 200; body: infer Body }
  ? Omit<Response, 'body'> & { body: Body extends readonly unknown[] ? AnyList<Body> : AnyLists<Body> }
  : Response;
type AnyList<Value> = Value extends readonly (infer Item)[] ? Iterable<Item> : Value;
type AnyLists<Body> = { [Name in keyof Body]: AnyList<Body[Name]> };

/** Where the answer of a read has its list: it is one, or an object that begins with one. */
export function listIn(route: Route): ListResponse | undefined {
  const schema: ListSchema | undefined = route.method === 'GET' ? route.responses[200]?.schema : undefined;
  if (schema?.type === 'array') return { noun: undefined, item: schema.items };
  const [noun, first] = Object.entries(schema?.properties ?? {})[0] ?? [];
  return first?.type === 'array' ? { noun, item: first.items } : undefined;
}

type ListSchema = { type?: string; items?: unknown; properties?: Record<string, ListSchema> };

/** The whole text where it is short, else its slices. */
export function writeList(reply: FastifyReply, list: ListResponse, body: unknown): string | AsyncIterable<string> {
  const slices = listText(reply, list, body);
  const first = slices.next().value ?? '';
  const second = slices.next();
  return second.done ? first : oneATurn(first, second.value, slices);
}

async function* oneATurn(first: string, second: string, rest: Iterable<string>): AsyncGenerator<string> {
  yield first;
  yield second;
  for (const slice of rest) {
    await nextTurn();
    yield slice;
  }
}

function* listText(reply: FastifyReply, { noun, item }: ListResponse, body: unknown): Generator<string, undefined> {
  const around = (noun === undefined ? [] : { ...(body as object), [noun]: [] }) as Json;
  const frame = reply.serializeInput(around, '200') as string;
  const head = noun === undefined ? '[' : `{${JSON.stringify(noun)}:[`;
  if (!frame.startsWith(head)) throw new Error(`The answer does not begin with ${head}.`);
  const items = (noun === undefined ? body : (body as Json)[noun]) as Iterable<Json>;
  const write = reply.compileSerializationSchema(item as Json);
  let text = head;
  let isFirst = true;
  for (const one of items) {
    text += isFirst ? write(one) : `,${write(one)}`;
    isFirst = false;
    if (text.length < sliceLength) continue;
    yield text;
    text = '';
  }
  yield text + frame.slice(head.length);
}

type Json = Record<string, unknown>;

/** Some milliseconds of work; fewer slices would not be faster. */
const sliceLength = 64 * 1024;
