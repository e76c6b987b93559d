/** Rows of COPY text that are waiting to be written, and how many requests were dropped for each chain. */
export type Batch = { rows: readonly Row[]; dropped: ReadonlyMap<string, number> };
export type Row = { chainId: string; text: string };

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
  let rows: Row[] = [];
  let length = 0;
  let dropped = new Map<string, number>();
  const thisSecond = new Map<string, number>();

  const drop = (chainId: string) => {
    dropped.set(chainId, (dropped.get(chainId) ?? 0) + 1);
    onDropped(1);
  };
  const add = (row: Row) => {
    if (rows.length >= limits.rows || length + row.text.length > limits.length) return drop(row.chainId);
    rows.push(row);
    length += row.text.length;
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
    count: () => rows.length,
    startSecond: () => thisSecond.clear(),
    take(): Batch | undefined {
      if (rows.length === 0 && dropped.size === 0) return undefined;
      const batch = { rows, dropped };
      rows = [];
      length = 0;
      dropped = new Map();
      return batch;
    },
    /** Puts back rows that could not be written, ahead of newer ones. */
    putBack(batch: Batch): void {
      const newer = rows;
      rows = [];
      length = 0;
      for (const [chainId, count] of batch.dropped) dropped.set(chainId, (dropped.get(chainId) ?? 0) + count);
      for (const row of batch.rows) add(row);
      for (const row of newer) add(row);
    },
    /** Counts rows that cannot be written as dropped. */
    dropAll(batch: Batch): void {
      for (const [chainId, count] of batch.dropped) dropped.set(chainId, (dropped.get(chainId) ?? 0) + count);
      for (const { chainId } of batch.rows) drop(chainId);
    },
  };
}
