/**
 * Counts the memory that the sessions in this process hold for their clients: bytes that are not stored yet, files that
 * are being read, and lists of folders. No chain can use all of it.
 */
export type Memory = { forChain(chainId: string): ChainMemory };

export type ChainMemory = {
  /** Returns false, and takes nothing, if there is not enough memory. */
  take(bytes: number): boolean;
  give(bytes: number): void;
};

const mebibyte = 1024 * 1024;

export function createMemory(max = 256 * mebibyte, maxPerChain = 64 * mebibyte): Memory {
  const usedBy = new Map<string, number>();
  let used = 0;
  return {
    forChain(chainId) {
      const change = (bytes: number) => {
        const next = (usedBy.get(chainId) ?? 0) + bytes;
        used += bytes;
        if (next > 0) usedBy.set(chainId, next);
        else usedBy.delete(chainId);
      };
      return {
        take(bytes) {
          if (used + bytes > max || (usedBy.get(chainId) ?? 0) + bytes > maxPerChain) return false;
          change(bytes);
          return true;
        },
        give: (bytes) => change(-bytes),
      };
    },
  };
}
