import type { PictureKind } from '../pictures/kinds.ts';
import type { ToneName } from '../pictures/tones.ts';
import type { BrandId } from './brands.ts';

/** A range of packaged goods. Every brand makes most varieties in most sizes. */
export type Range = {
  /** The SKU prefix. */
  prefix: string;
  category: string;
  picture: PictureKind;
  brands: readonly BrandId[];
  /** Sizes such as "1 L", "6 x 330 ml" or "30 eggs". `price` is for the first size. */
  sizes: readonly string[];
  /** The price in AED for the first size of a regular variety from a brand with level 1. */
  price: number;
  /** The end of the sentence "Full Fat Milk from Meadowbrook, …". */
  about: { en: string; ar: string };
  varieties: readonly Variety[];
  /** The maximum quantity per order, for the products that have one. */
  limit?: number;
};

export type Variety = readonly [en: string, ar: string, tone: ToneName, overrides?: VarietyOverrides];

/** `price` is a factor applied to the range's price. `sizes` and `picture` replace those of the range. */
export type VarietyOverrides = { price?: number; sizes?: readonly string[]; picture?: PictureKind };
