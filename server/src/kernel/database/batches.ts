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

/**
 * `run` returns a result for each item, or a promise if an item takes longer than the rest. If `run` fails, all of its
 * items fail. Items with the same id are run one after the other, never together.
 */
export function createBatches<Item, Result>(
  run: (items: Item[]) => Promise<(Result | Promise<Result>)[]>,
  idOf: (item: Item) => string,
  maxItems: number,
): Batches<Item, Result> {
  /** The waiting calls by key. A key has an entry while its calls run. */
  const lanes = new Map<string, Waiting<Item, Result>[]>();
  const runBatch = async (batch: Waiting<Item, Result>[]) => {
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  const runLane = async (key: string, first: Waiting<Item, Result>) => {
    let batch = [first];
    while (batch.length > 0) {
      lanes.set(key, lanes.get(key) ?? []);
      await runBatch(batch);
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
