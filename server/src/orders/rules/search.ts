import { wordsOf } from '../../kernel/database/text-search.ts';
import { isUuid } from '../../kernel/values/ids.ts';
import type { OrderRow } from './order-response.ts';

/** What an order is found by, in the columns of `order_search`. */
export type SearchEntry = { order_code: string; name: string; phone: string | null };

export function searchEntry({ order_code, customer }: Pick<OrderRow, 'order_code' | 'customer'>): SearchEntry {
  return {
    order_code: order_code.toLowerCase(),
    name: foldName([customer?.first_name, customer?.last_name].join(' ')),
    phone: reversedDigits(customer?.phone_number ?? '') || null,
  };
}

/** What a search term can mean. */
export type OrderTerm = {
  /** Exactly as sent. */
  text: string;
  /** The beginning of an order code. */
  code: string;
  orderId: string | undefined;
  /** Words of a name, folded. Empty if the term cannot be a name. */
  words: string[];
  /** The digits of a phone number, in the form of the column; undefined if the term cannot be one. */
  phone: string | undefined;
  /** The same number without its first digits, for numbers that were stored without their country code. */
  shorterPhones: string[];
};

export function readTerm(term: string): OrderTerm {
  const words = wordsOf(foldName(term));
  const digits = reversedDigits(term);
  const isPhone = /^[+\d\s().\-/٠-٩۰-۹]+$/.test(term) && digits.length >= minPhoneDigits;
  return {
    text: term,
    code: term.trim().toLowerCase(),
    orderId: isUuid(term) ? term : undefined,
    words: words.some((word) => /\p{L}{2}/u.test(word)) ? words : [],
    phone: isPhone ? digits : undefined,
    shorterPhones: isPhone ? shorterPhones(digits) : [],
  };
}

/** With fewer digits, a term would match too many numbers by accident. */
const minPhoneDigits = 4;
const minLocalDigits = 7;

function shorterPhones(phone: string): string[] {
  const count = Math.max(0, phone.length - minLocalDigits);
  return Array.from({ length: count }, (_, index) => phone.slice(0, minLocalDigits + index));
}

/**
 * Lowercases a name and removes what people leave out when they type it: accents, Arabic vowel marks and lengthening,
 * and the differences between similar Arabic letters.
 */
function foldName(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\u0640]/gu, '')
    .replace(/[ςةى]/g, (letter) => similarLetters[letter] ?? letter)
    .replace(/\s+/g, ' ')
    .trim();
}

const similarLetters: Record<string, string> = { ς: 'σ', ة: 'ه', ى: 'ي' };

/** Without leading zeros, so that `+971 50`, `00971 50` and `050` end with the same digits. */
function reversedDigits(phone: string): string {
  const ascii = phone.replace(/[٠-٩۰-۹]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf));
  return [...ascii.replace(/\D/g, '').replace(/^0+/, '')].toReversed().join('');
}
