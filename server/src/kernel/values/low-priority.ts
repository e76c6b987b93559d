import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * Long work shares the processors of this machine with short requests. With a lower priority, it leaves them when a
 * request needs one, instead of when its time slice ends. This affects processes of the same user, on Linux.
 */
export function lowerPriority(processId: number): void {
  setPriority(processId, lowPriority);
  lowerGroupPriority(processId);
}

/** On other systems, the call would affect the whole process. */
export function lowerThreadPriority(): void {
  if (process.platform === 'linux') setPriority(lowPriority);
}

/** If requests use all of the processors, work with this priority still gets a tenth of them. */
const lowPriority = 10;

/**
 * Linux can divide the processors among sessions first (`kernel.sched_autogroup_enabled`), and each process of
 * PostgreSQL is a session of its own. The priority of a session can be set only once in 100 ms in the whole system.
 */
function lowerGroupPriority(processId: number, triesLeft = 20): void {
  try {
    writeFileSync(`/proc/${processId}/autogroup`, String(lowPriority));
  } catch (error) {
    const isTooSoon = (error as NodeJS.ErrnoException).code === 'EAGAIN';
    if (isTooSoon && triesLeft > 0) setTimeout(lowerGroupPriority, 150, processId, triesLeft - 1).unref();
  }
}
