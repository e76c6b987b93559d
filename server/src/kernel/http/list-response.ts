import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Route } from '@aisle/contract/route';
import type { FastifyReply } from 'fastify';

/**
 * A page can have 500 items of a megabyte each. Building and serializing it at once would block the event loop for
 * seconds. So lists are serialized item by item, and a large one is sent in slices, so that other events can be handled
 * in between.
 */
export type ListResponse = { noun: string | undefined; item: unknown };

/** A response that a handler can return. Its lists can be any iterable of items. */
export type Listed<Response> = Response extends { status: 200; body: infer Body }
  ? Omit<Response, 'body'> & { body: Body extends readonly unknown[] ? AnyList<Body> : AnyLists<Body> }
  : Response;
type AnyList<Value> = Value extends readonly (infer Item)[] ? Iterable<Item> : Value;
type AnyLists<Body> = { [Name in keyof Body]: AnyList<Body[Name]> };

/** Describes the list in a GET response. The response is an array, or an object whose first property is an array. */
export function listIn(route: Route): ListResponse | undefined {
  const schema: ListSchema | undefined = route.method === 'GET' ? route.responses[200]?.schema : undefined;
  if (schema?.type === 'array') return { noun: undefined, item: schema.items };
  const [noun, first] = Object.entries(schema?.properties ?? {})[0] ?? [];
  return first?.type === 'array' ? { noun, item: first.items } : undefined;
}

type ListSchema = { type?: string; items?: unknown; properties?: Record<string, ListSchema> };

/** Returns the text if it is short, otherwise a generator of slices. */
export function writeList(reply: FastifyReply, list: ListResponse, body: unknown): string | AsyncGenerator<string> {
  const slices = listText(reply, list, body);
  const first = slices.next().value ?? '';
  const second = slices.next();
  return second.done ? first : yieldBetweenSlices(first, second.value, slices);
}

async function* yieldBetweenSlices(first: string, second: string, rest: Iterable<string>): AsyncGenerator<string> {
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
  if (!frame.startsWith(head)) throw new Error(`The response does not begin with ${head}.`);
  const items = (noun === undefined ? body : (body as Json)[noun]) as Iterable<Json>;
  const write = reply.compileSerializationSchema(item as Json);
  let text = head;
  let isFirst = true;
  for (const entry of items) {
    text += isFirst ? write(entry) : `,${write(entry)}`;
    isFirst = false;
    if (text.length < sliceLength) continue;
    yield text;
    text = '';
  }
  yield text + frame.slice(head.length);
}

type Json = Record<string, unknown>;

/** A slice takes a few milliseconds. Larger slices would not be faster. */
const sliceLength = 64 * 1024;
