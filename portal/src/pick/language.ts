import { useMemo } from 'react';
import { humanizeIfCode } from '../kit/format.ts';
import { isolated, type Language, type Translate } from '../messages/catalogue.ts';
import { useLanguage, type CurrentLanguage } from '../messages/language.ts';

export type Wording = {
  language: Language;
  text: Translate;
  money(value: number, currency: string): string;
  kilograms(value: number): string;
  /** A number without a unit, as people type it. */
  number(value: number): string;
  minutes(count: number): string;
  time(date: Date): string;
  list(names: readonly string[]): string;
  /** Text that the platform sent. It can be a code, such as `BEST_MATCH`, which is shown as words. */
  code(value: string): string;
};

/** The texts and formats in the chosen language. */
export function useWording(): Wording {
  const current = useLanguage();
  return useMemo(() => createWording(current), [current]);
}

function createWording({ language, locale, direction, t }: CurrentLanguage): Wording {
  const format = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options);
  const weight = format({ style: 'unit', unit: 'kilogram', maximumFractionDigits: 3 });
  const plain = format({ maximumFractionDigits: 3, useGrouping: false });
  const unit = (name: string) => format({ style: 'unit', unit: name, unitDisplay: 'short' });
  const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });
  const names = new Intl.ListFormat(locale, { type: 'conjunction', style: 'short' });
  return {
    language,
    text: t,
    money: (value, currency) => format({ style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(value),
    kilograms: (value) => keepTogether(weight.format(value)),
    number: (value) => plain.format(value),
    minutes: (count) => {
      if (count < 100) return keepTogether(unit('minute').format(count));
      if (count < 48 * 60) return keepTogether(unit('hour').format(Math.floor(count / 60)));
      return keepTogether(unit('day').format(Math.floor(count / 60 / 24)));
    },
    time: (date) => clock.format(date),
    list: (all) =>
      `${direction === 'rtl' ? rightToLeft : ''}${names.format(all.map((name) => isolated(name, direction)))}`,
    code: humanizeIfCode,
  };
}

/** An invisible mark: names in Latin letters are listed from right to left, too. */
const rightToLeft = '\u200f';

/** No line breaks between a number and its unit. */
function keepTogether(quantity: string): string {
  return quantity.replaceAll(' ', '\u00a0');
}
