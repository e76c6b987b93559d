import type { Reports, SendToProcess, Topic } from './messages.ts';

/** Asks processes for a report and collects what they send. */
export type Gatherer = {
  /** A process that does not respond in time is missing in the result. */
  gather<T extends Topic>(topic: T, members: readonly Member[]): Promise<Map<number, Reports[T]>>;
  add(id: number, member: Member, report: Reports[Topic]): void;
  /** Does not wait for a process that has exited. */
  forget(member: Member): void;
};

export type Member = { readonly number: number; send: SendToProcess };

type Open = { waiting: Set<Member>; reports: Map<number, Reports[Topic]>; end(): void };

/** Longer than the timeout of a health check. */
const timeoutMs = 2500;

export function createGatherer(): Gatherer {
  const open = new Map<number, Open>();
  let lastId = 0;
  const finish = (id: number, one: Open, member: Member) => {
    one.waiting.delete(member);
    if (one.waiting.size > 0) return;
    open.delete(id);
    one.end();
  };
  return {
    async gather<T extends Topic>(topic: T, members: readonly Member[]) {
      const reports = new Map<number, Reports[T]>();
      if (members.length === 0) return reports;
      const id = ++lastId;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => {
          open.delete(id);
          resolve();
        }, timeoutMs);
        const end = () => {
          clearTimeout(timer);
          resolve();
        };
        open.set(id, { waiting: new Set(members), reports, end });
        for (const member of members) member.send({ type: 'report', id, topic });
      });
      return reports;
    },
    add(id, member, report) {
      const one = open.get(id);
      one?.reports.set(member.number, report);
      if (one) finish(id, one, member);
    },
    forget(member) {
      for (const [id, one] of open) if (one.waiting.has(member)) finish(id, one, member);
    },
  };
}
