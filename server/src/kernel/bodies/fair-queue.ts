/** A queue in which chains take turns. The jobs of one chain keep their order. */
export type FairQueue<Job extends { chainId: string }> = {
  add(job: Job): void;
  /** The next job, from the chain with the fewest running jobs. Among equals, the one that has waited longest. */
  find(running: readonly Job[], maxPerChain: number): Job | undefined;
  remove(job: Job): void;
  /** Empties the queue and returns its jobs. */
  clear(): Job[];
};

export function createFairQueue<Job extends { chainId: string }>(): FairQueue<Job> {
  /** The jobs of each chain. The chain that has waited longest is first. */
  const queues = new Map<string, Job[]>();
  return {
    add(job) {
      const own = queues.get(job.chainId);
      if (own) own.push(job);
      else queues.set(job.chainId, [job]);
    },
    find(running, maxPerChain) {
      const active = (chainId: string) => running.filter((job) => job.chainId === chainId).length;
      const first = [...queues.values()].flatMap((own) => own.slice(0, 1));
      const allowed = first.filter(({ chainId }) => active(chainId) < maxPerChain);
      return allowed.toSorted((a, b) => active(a.chainId) - active(b.chainId))[0];
    },
    remove(job) {
      const rest = queues.get(job.chainId)?.filter((one) => one !== job) ?? [];
      // Deleting and adding moves the chain to the end.
      queues.delete(job.chainId);
      if (rest.length > 0) queues.set(job.chainId, rest);
    },
    clear() {
      const all = [...queues.values()].flat();
      queues.clear();
      return all;
    },
  };
}
