import type { ResponseBody } from '../api/operations.ts';

type Report = ResponseBody<'getCertification'>;
type Counts = Pick<Report, 'passed' | 'failed' | 'skipped' | 'total'>;

/** For example "12 of 13 passed, 1 failed". */
export function describeCounts({ passed, failed, skipped, total }: Counts): string {
  return [
    `${passed} of ${total} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ].join(', ');
}

/** What the result means, in one sentence. */
export function describeResult(report: Pick<Report, 'status' | 'is_complete'>): string {
  switch (report.status) {
    case 'RUNNING':
      return 'Running. This page updates automatically.';
    case 'PASSED':
      return report.is_complete
        ? 'Your integration handles every scenario as documented.'
        : 'Nothing failed, but not every scenario was run. Run all of them for a complete certification.';
    case 'FAILED':
      return 'Each failure shows what was expected, what happened, and the request that caused it.';
    default:
      return 'Stopped before the end. Open test orders were cancelled.';
  }
}

/** The scenarios whose steps are shown at first. */
export function scenariosToOpen({ scenarios }: Pick<Report, 'scenarios'>): string[] {
  return scenarios.flatMap(({ name, status }) => (status === 'FAILED' ? [name] : []));
}
