import type { InputError } from '@aisle/contract/common';
import type { PromotionType } from '@aisle/contract/promotion-types';
import { PromotionHeader } from '@aisle/contract/promotion';
import { maxLocales } from '@aisle/contract/sizes';
import { describeValue } from '@aisle/contract/value-faults';
import type { Static } from 'typebox';
import { truncateDecimal } from '../../kernel/values/decimal.ts';
import { parseTime } from '../../kernel/values/time.ts';
import { bodyCheck } from '../../kernel/http/validate.ts';
import type { PromotionLimits } from './terms.ts';

/**
 * A request without its discount entries. It is plain JSON, because it is stored in the job. Null keeps the promotion's
 * current value.
 */
export type Header = {
  vendors: string[] | '*';
  type: PromotionType;
  active: boolean;
  reason: string | null;
  display_name: Record<string, string>;
  start_time: string;
  end_time: string;
  purchased_quantity: number | null;
  discounted_quantity: number | null;
  limits: PromotionLimits | null;
};

const checkHeader = bodyCheck(PromotionHeader);

export function validateHeader(body: unknown, now: Date): { header: Header } | { errors: InputError[] } {
  const { value, errors } = checkHeader(body);
  if (errors.length > 0) return { errors };
  const given = value as Static<typeof PromotionHeader>;
  const header = headerOf(given);
  const found = [...vendorErrors(header), ...nameErrors(header), ...timeErrors(header, now), ...bundleErrors(header)];
  return found.length > 0 ? { errors: found } : { header };
}

function headerOf(given: Static<typeof PromotionHeader>): Header {
  const { start_time, end_time, purchased_quantity, discounted_quantity } = given.conditions;
  const isBundle = given.type === 'SAME_ITEM_BUNDLE';
  return {
    vendors: vendorsOf(given.vendors),
    type: given.type,
    active: given.active ?? true,
    reason: given.reason ?? null,
    display_name: given.display_name,
    start_time: isoTime(start_time),
    end_time: isoTime(end_time),
    purchased_quantity: isBundle ? (purchased_quantity ?? null) : null,
    discounted_quantity: isBundle ? (discounted_quantity ?? null) : null,
    limits: given.limits ? limitsOf(given.limits) : null,
  };
}

function vendorsOf(vendors: '*' | string[]): string[] | '*' {
  if (vendors === '*' || (vendors.length === 1 && vendors[0] === '*')) return '*';
  return [...new Set(vendors)];
}

function isoTime(text: string): string {
  return (parseTime(text) as Date).toISOString();
}

function limitsOf({ max_discount_per_order, ...counts }: NonNullable<Static<typeof PromotionHeader>['limits']>) {
  const money =
    max_discount_per_order === undefined ? {} : { max_discount_per_order: truncateDecimal(max_discount_per_order) };
  return { ...money, ...counts };
}

function vendorErrors({ vendors }: Header): InputError[] {
  if (vendors === '*' || !vendors.includes('*')) return [];
  return [
    { pointer: '/vendors', code: 'not_allowed', message: 'must be a list of vendor ids, or "*" for all vendors' },
  ];
}

function nameErrors({ active, display_name }: Header): InputError[] {
  const names = Object.entries(display_name);
  if (names.length === 0)
    return [{ pointer: '/display_name', code: 'too_short', message: describeValue('name_missing') }];
  // A promotion that was created before there was this limit can still be cancelled.
  if (active && names.length > maxLocales)
    return [{ pointer: '/display_name', code: 'too_long', message: describeValue('max_locales', { max: maxLocales }) }];
  return names
    .filter(([, text]) => text.trim() === '' || text.length > maxNameLength)
    .map(([locale]) => ({
      pointer: `/display_name/${locale}`,
      code: 'bad_length',
      message: describeValue('text_length', { min: 1, max: maxNameLength }),
    }));
}

const maxNameLength = 200;

function timeErrors({ start_time, end_time }: Header, now: Date): InputError[] {
  const at = (message: string): InputError[] => [{ pointer: '/conditions/end_time', code: 'out_of_range', message }];
  if (end_time <= start_time) return at(describeValue('after_start'));
  return end_time <= now.toISOString() ? at(describeValue('past')) : [];
}

function bundleErrors(header: Header): InputError[] {
  if (header.type !== 'SAME_ITEM_BUNDLE') return [];
  const names = ['purchased_quantity', 'discounted_quantity'] as const;
  return names
    .filter((name) => header[name] === null)
    .map((name) => ({ pointer: `/conditions/${name}`, code: 'missing', message: describeValue('bundle_required') }));
}
