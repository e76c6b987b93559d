import type { ResponseBody } from '../api/operations.ts';
import { formatList } from '../kit/format.ts';
import type { Translate } from '../messages/catalogue.ts';

type Report = ResponseBody<'getCertification'>;
type Counts = Pick<Report, 'passed' | 'failed' | 'skipped' | 'total'>;

/** For example "12 of 13 passed, 1 failed". */
export function describeCounts(t: Translate, { passed, failed, skipped, total }: Counts): string {
  return formatList([
    t('certification.passed', { passed, total }),
    ...(failed > 0 ? [t('certification.failed', { count: failed })] : []),
    ...(skipped > 0 ? [t('certification.skipped', { count: skipped })] : []),
  ]);
}

/** What the result means, in one sentence. */
export function describeResult(t: Translate, report: Pick<Report, 'status' | 'is_complete'>): string {
  switch (report.status) {
    case 'RUNNING':
      return t('certification.running');
    case 'PASSED':
      return report.is_complete ? t('certification.complete') : t('certification.incomplete');
    case 'FAILED':
      return t('certification.failures');
    default:
      return t('certification.stopped');
  }
}

/** A scenario that is running has not passed yet, so it is not green. */
export function colorOf(status: string): string | undefined {
  return status === 'RUNNING' ? 'blue' : undefined;
}

/** The scenarios whose steps are shown at first. */
export function scenariosToOpen({ scenarios }: Pick<Report, 'scenarios'>): string[] {
  return scenarios.flatMap(({ name, status }) => (status === 'FAILED' ? [name] : []));
}
