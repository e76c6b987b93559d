export type JsonResponse<Result> = { body: Result; headers: Headers };

/** Sends JSON and returns the parsed response. Fails with the start of the body if the status is not 2xx. */
export async function sendJson<Result>(
  method: string,
  url: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<JsonResponse<Result>> {
  const init: RequestInit = { method, headers: { ...headers, 'content-type': 'application/json' } };
  if (body !== undefined) init.body = JSON.stringify(body);
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} returned ${response.status}: ${text.slice(0, 500)}`);
  return { body: JSON.parse(text) as Result, headers: response.headers };
}

/** Splits a list into parts of this size. */
export function chunk<Item>(items: Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  );
}

/** Runs `work` for every item, this many at a time. */
export async function inParallel<Item>(
  width: number,
  items: Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const loop = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: width }, loop));
}
