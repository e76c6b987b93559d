import { maxScheduleDays } from '@aisle/contract/previews';
import { invalid } from '../../kernel/failures/failure.ts';
import { parseTime } from '../../kernel/values/time.ts';

type ApplyQuery = { dry_run?: boolean | undefined; apply_at?: string | undefined };

/** Whether a request asks for a preview, and when its job is to be applied. Fails if they contradict each other. */
export function readApplyTerms(query: ApplyQuery, now: Date): { isDryRun: boolean; applyAt: Date | undefined } {
  const isDryRun = query.dry_run ?? false;
  if (isDryRun && query.apply_at !== undefined) {
    const message = 'cannot be combined with dry_run; send it when you apply the preview';
    throw invalid([{ pointer: 'apply_at', code: 'not_allowed', message }]);
  }
  return { isDryRun, applyAt: readApplyAt(query.apply_at, 'apply_at', now) };
}

export function readApplyAt(text: string | undefined, pointer: string, now: Date): Date | undefined {
  const at = text === undefined ? null : parseTime(text);
  if (!at) return undefined;
  const isSoonEnough = at.getTime() <= now.getTime() + maxScheduleDays * 86_400_000;
  if (at > now && isSoonEnough) return at;
  const message = `must be in the future and at most ${maxScheduleDays} days ahead`;
  throw invalid([{ pointer, code: 'out_of_range', message }]);
}
