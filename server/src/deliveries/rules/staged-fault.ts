import type { StagedFault } from '../../events/index.ts';

const staleMs = 10 * 60 * 1000;

type Staged = { staged_fault: StagedFault | null };

/** The mistake to make in this attempt. Only the first attempt has one. */
export function faultOf({ staged_fault: fault }: Staged, attemptNo: number): 'FORGED' | 'STALE' | null {
  return attemptNo === 1 && fault !== 'HELD' ? fault : null;
}

/** The time to put into `webhook-timestamp`. */
export function claimedTime(startedAt: Date, fault: StagedFault | null): Date {
  return fault === 'STALE' ? new Date(startedAt.getTime() - staleMs) : startedAt;
}
