import type { Currency } from './stores.ts';

const perDirham: Readonly<Record<Currency, number>> = { AED: 1, KWD: 1 / 11.9 };

export const minorDigits: Readonly<Record<Currency, number>> = { AED: 2, KWD: 3 };

/** A larger pack costs more in total but less per unit. */
export function scaleToSize(price: number, sizeRatio: number): number {
  return price * sizeRatio ** 0.9;
}

/** Rounds to a typical retail price such as 4.95, 12.50 or 0.495. A higher amount never results in a lower price. */
export function shelfPrice(dirhams: number, currency: Currency): number {
  const amount = dirhams * perDirham[currency];
  const price = currency === 'KWD' ? dinarPrice(amount) : dirhamPrice(amount);
  return Number(price.toFixed(minorDigits[currency]));
}

function dirhamPrice(amount: number): number {
  const step = amount < 20 ? 0.25 : amount < 100 ? 0.5 : 1;
  const price = roundTo(amount, step);
  return isMultiple(price, 1) ? price - 0.05 : price;
}

function dinarPrice(amount: number): number {
  if (amount < 0.25) return roundTo(amount, 0.005);
  const step = amount < 2 ? 0.05 : amount < 10 ? 0.25 : 0.5;
  const price = roundTo(amount, step);
  return isMultiple(price, 0.5) ? price - 0.005 : price;
}

function roundTo(amount: number, step: number): number {
  return Math.max(1, Math.round(amount / step)) * step;
}

function isMultiple(amount: number, step: number): boolean {
  return Math.abs(amount / step - Math.round(amount / step)) < 1e-9;
}
