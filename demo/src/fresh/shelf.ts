import type { PictureKind } from '../pictures/kinds.ts';
import type { ToneName } from '../pictures/tones.ts';

/** Unbranded fresh goods, sold by weight or by the piece. */
export type Shelf = {
  /** The SKU prefix. */
  prefix: string;
  category: string;
  /** The end of the sentence "Bananas, …". */
  about: { en: string; ar: string };
  weighed?: readonly WeighedItem[];
  counted?: readonly CountedItem[];
};

/** `price` is per kilogram. `piece` is the average weight of a piece in kilograms. */
export type WeighedItem = readonly [
  en: string,
  ar: string,
  price: number,
  piece: number,
  picture: PictureKind,
  tone: ToneName,
];

/** `unit` is, for example, "bunch" in "Parsley, bunch". */
export type CountedItem = readonly [
  en: string,
  ar: string,
  unit: { en: string; ar: string },
  price: number,
  picture: PictureKind,
  tone: ToneName,
];
