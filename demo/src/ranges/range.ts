import type { PictureKind } from '../pictures/kinds.ts';
import type { ToneName } from '../pictures/tones.ts';
import type { BrandId } from './brands.ts';

/** A shelf of packed goods: every brand makes most varieties in most sizes. */
export type Range = {
  /** The beginning of the SKUs. */
  prefix: string;
  category: string;
  picture: PictureKind;
  brands: readonly BrandId[];
  /** "1 L", "6 x 330 ml", "30 eggs"; the price is for the first. */
  sizes: readonly string[];
  /** AED, for the first size of an ordinary variety from a brand of level 1. */
  price: number;
  /** Ends the sentence "Full Fat Milk from Meadowbrook, …". */
  about: { en: string; ar: string };
  varieties: readonly Variety[];
  /** How many of it one order may hold, in the stores that limit it. */
  limit?: number;
};

export type Variety = readonly [en: string, ar: string, tone: ToneName, exception?: VarietyException];

/** `price` multiplies the range's price; `sizes` and `picture` take the place of the range's. */
export type VarietyException = { price?: number; sizes?: readonly string[]; picture?: PictureKind };
