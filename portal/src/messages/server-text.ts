import type { Problem } from '@aisle/contract/common';
import { recognizeFault } from '@aisle/contract/file-faults';
import { recognizeValue } from '@aisle/contract/value-faults';
import { currentLanguage } from './language.ts';

/**
 * The API's messages are in English and for developers. These are the texts of the catalogue for the codes of the API,
 * or the API's message if there is none.
 */

/** The text of an error response. Undefined if the response has no message. */
export function errorText({ code, detail }: Partial<Problem>): string | undefined {
  return currentLanguage().find(`error.${code}`, { detail: detail ?? '' }) ?? detail;
}

/** The short title of an error response. It has no translation. */
export function errorTitle({ title }: Partial<Problem>): string | undefined {
  return currentLanguage().language === 'en' ? title : undefined;
}

/** The text of a problem with a field or an item. */
export function problemText(code: string | null | undefined, detail: string): string {
  return valuesText(detail) ?? currentLanguage().find(`problem.${code}`, { detail }) ?? detail;
}

/** Why a job failed. Its code is absent in jobs of earlier versions. */
export function jobErrorText(code: string | undefined, error: string): string {
  const { t } = currentLanguage();
  const [, name] = /^Cancelled by (.+) before it was applied\.$/s.exec(error) ?? [];
  if (code === 'cancelled' && name !== undefined) return t('problem.cancelledBy', { name });
  const [, line, column, reason] = /^Line (\d+), column (\d+): (.+)\.$/s.exec(error) ?? [];
  if (code !== 'unreadable_file' || reason === undefined) return problemText(code, error);
  return t('problem.unreadableAt', { line: Number(line), column: Number(column), reason: faultText(reason) });
}

/** The text of a promotion job's error, which starts with a code. */
export function promotionErrorText(error: string): string {
  const [, code, detail] = /^(\w+): (.+)$/s.exec(error) ?? [];
  return jobErrorText(code, detail ?? error);
}

/** One or more reasons why values were rejected. Undefined if one of them has no translation. */
function valuesText(detail: string): string | undefined {
  const [, reasons = '', end = ''] = /^(.*?)(\.?)$/s.exec(detail) ?? [];
  const whole = valueText(reasons);
  if (whole !== undefined) return `${whole}${end}`;
  const texts = reasons.split('; ').map(valueText);
  const all = texts.reduce((first, next) =>
    first === undefined || next === undefined ? undefined : currentLanguage().find('value.several', { first, next }),
  );
  return all === undefined ? undefined : `${all}${end}`;
}

function valueText(text: string): string | undefined {
  const found = recognizeValue(text);
  const { find } = currentLanguage();
  const reason = found && find(`value.${found.code}`, found.values);
  if (reason === undefined || found?.field === undefined) return reason;
  return find('value.ofField', { field: found.field, reason });
}

function faultText(reason: string): string {
  const fault = recognizeFault(reason);
  return (fault && currentLanguage().find(`fault.${fault.code}`, fault.values)) ?? reason;
}
