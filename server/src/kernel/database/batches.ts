/**
 * Runs calls with the same key together. A call that finds none running starts immediately. Those that arrive while
 * it runs wait, and the next run takes all of them, in the order in which they arrived. So a single call is not delayed,
 * and under load many calls share a statement and a commit.
 */
export type Batches<Item, Result> = (key: string, item: Item) => Promise<Result>;

type Waiting<Item, Result> = {
  item: Item;
  resolve(result: Result | Promise<Result>): void;
  reject(error: unknown): void;
};

/** A result for each item, or a promise if an item takes longer than the rest, and how many bytes were read for them. */
export type Ran<Result> = { results: (Result | Promise<Result>)[]; bytes: number };

/**
 * If `run` fails, all of its items fail. Items with the same id are run one after the other, never together. A batch has
 * at most `max.items` items, and fewer if those of the batch before it were so large that it would have more than
 * `max.bytes`.
 */
export function createBatches<Item, Result>(
  run: (items: Item[]) => Promise<Ran<Result>>,
  idOf: (item: Item) => string,
  max: { items: number; bytes: number },
): Batches<Item, Result> {
  /** The waiting calls by key. A key has an entry while its calls run. */
  const lanes = new Map<string, Waiting<Item, Result>[]>();
  /** Returns how many items the next batch can have. */
  const runBatch = async (batch: Waiting<Item, Result>[]): Promise<number> => {
    try {
      const { results, bytes } = await run(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
      return Math.max(1, Math.min(max.items, Math.floor(max.bytes / (bytes / batch.length))));
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return max.items;
    }
  };
  const runLane = async (key: string, first: Waiting<Item, Result>) => {
    let batch = [first];
    while (batch.length > 0) {
      lanes.set(key, lanes.get(key) ?? []);
      const maxItems = await runBatch(batch);
      const { taken, left } = takeDistinct(lanes.get(key) ?? [], idOf, maxItems);
      batch = taken;
      lanes.set(key, left);
    }
    lanes.delete(key);
  };
  return (key, item) =>
    new Promise((resolve, reject) => {
      const call = { item, resolve, reject };
      const waiting = lanes.get(key);
      if (waiting) waiting.push(call);
      else void runLane(key, call);
    });
}

/** Takes calls from the front of the line. A call stays in line if one with the same id is before it. */
function takeDistinct<Item, Result>(
  waiting: Waiting<Item, Result>[],
  idOf: (item: Item) => string,
  max: number,
): { taken: Waiting<Item, Result>[]; left: Waiting<Item, Result>[] } {
  const ids = new Set<string>();
  const taken: Waiting<Item, Result>[] = [];
  const left: Waiting<Item, Result>[] = [];
  for (const call of waiting) {
    const id = idOf(call.item);
    const isFirst = taken.length < max && !ids.has(id);
    ids.add(id);
    (isFirst ? taken : left).push(call);
  }
  return { taken, left };
}
