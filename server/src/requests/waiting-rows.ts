/** Chunks of rows that are waiting to be written, and how many requests were dropped for each chain. */
export type Batch = { chunks: readonly Chunk[]; dropped: ReadonlyMap<string, number> };
/**
 * COPY text, and the chain of each row in it. The text is stored as bytes, so that it does not slow down the garbage
 * collector.
 */
export type Chunk = { chainIds: readonly string[]; text: Buffer };

export type Limits = {
  /** Rows per second for one chain. */
  perSecond: number;
  /** Rows in memory, for all chains together. */
  rows: number;
  /** The total length of the text in memory, for all chains together. */
  length: number;
};

/**
 * Holds rows in memory, within limits. A request over a limit is dropped and counted. The count is written with the
 * next batch. `onDropped` is called with the number of requests that were dropped.
 */
export function createWaitingRows(limits: Limits, onDropped: (count: number) => void) {
  let chunks: Chunk[] = [];
  let count = 0;
  let length = 0;
  let dropped = new Map<string, number>();
  const thisSecond = new Map<string, number>();

  const drop = (chainId: string) => {
    dropped.set(chainId, (dropped.get(chainId) ?? 0) + 1);
    onDropped(1);
  };
  const add = (chunk: Chunk) => {
    const { chainIds, text } = chunk;
    if (count + chainIds.length > limits.rows || length + text.length > limits.length) return chainIds.forEach(drop);
    chunks.push(chunk);
    count += chainIds.length;
    length += text.length;
  };
  const clear = () => {
    chunks = [];
    count = 0;
    length = 0;
  };
  return {
    /** Whether the chain can record another request in this second. If not, the request is dropped. */
    admit(chainId: string): boolean {
      const count = (thisSecond.get(chainId) ?? 0) + 1;
      if (count > limits.perSecond) {
        drop(chainId);
        return false;
      }
      thisSecond.set(chainId, count);
      return true;
    },
    add,
    count: () => count,
    startSecond: () => thisSecond.clear(),
    take(): Batch | undefined {
      if (chunks.length === 0 && dropped.size === 0) return undefined;
      const batch = { chunks, dropped };
      clear();
      dropped = new Map();
      return batch;
    },
    /** Puts back rows that could not be written, ahead of newer ones. */
    putBack(batch: Batch): void {
      const newer = chunks;
      clear();
      for (const [chainId, count] of batch.dropped) dropped.set(chainId, (dropped.get(chainId) ?? 0) + count);
      for (const chunk of batch.chunks) add(chunk);
      for (const chunk of newer) add(chunk);
    },
    /** Gives up on rows that cannot be written, and counts them as dropped. */
    dropAll(batch: Batch): void {
      for (const [chainId, count] of batch.dropped) dropped.set(chainId, (dropped.get(chainId) ?? 0) + count);
      for (const { chainIds } of batch.chunks) chainIds.forEach(drop);
    },
  };
}

/** Splits the batch by the nodes that store the rows of the chains. All rows of a chunk are stored by the same node. */
export function splitByNode({ chunks, dropped }: Batch, nodeOf: (chainId: string) => string): Map<string, Batch> {
  const chunksOf = Map.groupBy(chunks, ({ chainIds: [chainId = ''] }) => nodeOf(chainId));
  const droppedOf = Map.groupBy(dropped, ([chainId]) => nodeOf(chainId));
  const nodes = new Set([...chunksOf.keys(), ...droppedOf.keys()]);
  return new Map(
    [...nodes].map((node) => [node, { chunks: chunksOf.get(node) ?? [], dropped: new Map(droppedOf.get(node)) }]),
  );
}

/** Returns undefined if the batch is a single row. The dropped requests are counted with the first half. */
export function splitBatch({ chunks, dropped }: Batch): [Batch, Batch] | undefined {
  const [only] = chunks;
  const parts = chunks.length === 1 && only ? rowsOf(only) : chunks;
  if (parts.length < 2) return undefined;
  const middle = Math.ceil(parts.length / 2);
  return [
    { chunks: parts.slice(0, middle), dropped },
    { chunks: parts.slice(middle), dropped: new Map() },
  ];
}

/** A row of COPY text ends with the only line feed in it; others are escaped. */
function rowsOf({ chainIds, text }: Chunk): Chunk[] {
  const lines = text.toString().split('\n').slice(0, -1);
  return lines.map((line, index) => ({ chainIds: chainIds.slice(index, index + 1), text: Buffer.from(`${line}\n`) }));
}
