import type { ResponseBody } from '../api/operations.ts';
import { formatNumber, humanize } from '../kit/format.ts';
import { currentLanguage } from '../messages/language.ts';

type Step = ResponseBody<'getCertification'>['scenarios'][number]['steps'][number];
type StepTexts = Pick<Step, 'title' | 'expected' | 'actual' | 'rule'>;

/** The texts of a step in the language of the user. The texts of the API are shown if there are no others. */
export function stepTexts(step: Step): StepTexts {
  const { find } = currentLanguage();
  const { code, title, expected, actual, rule } = step;
  const group = groupOf(code);
  return {
    title: find(`certification.step.${code}`) ?? title,
    expected: expected === null ? null : (find(`certification.expected.${group}`) ?? expected),
    actual: actual === null ? null : (find(`certification.actual.${step.actual_code}`, valuesOf(step)) ?? actual),
    rule: rule === null ? null : (find(`certification.rule.${code}`) ?? find(`certification.rule.${group}`) ?? rule),
  };
}

/** Steps with the same expectation. What is expected of a fulfilment or a cancellation depends on the order. */
function groupOf(code: Step['code']): string {
  if (code?.startsWith('accept_')) return 'accept';
  if (code?.startsWith('reject_')) return 'reject';
  return code === 'conflict' ? 'conflict' : quietSteps.has(code) ? 'quiet' : 'order';
}

const quietSteps: ReadonlySet<Step['code']> = new Set(['ignore_duplicate', 'ignore_late', 'stop_work', 'no_repeat']);

function valuesOf({ actual_values: values }: Step): Record<string, string> {
  const { seconds, outcome } = values;
  return {
    ...values,
    ...(seconds !== undefined && { seconds: formatNumber(Number(seconds)) }),
    ...(outcome !== undefined && { outcome: humanize(outcome) }),
  };
}
