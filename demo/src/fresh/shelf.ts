import type { PictureKind } from '../pictures/kinds.ts';
import type { ToneName } from '../pictures/tones.ts';

/** Unbranded goods from the counter, weighed or by the piece. */
export type Shelf = {
  /** The beginning of the SKUs. */
  prefix: string;
  category: string;
  /** Ends the sentence "Bananas, …". */
  about: { en: string; ar: string };
  weighed?: readonly WeighedItem[];
  counted?: readonly CountedItem[];
};

/** The price is for a kilo; `piece` is what one weighs on average, in kilos. */
export type WeighedItem = readonly [
  en: string,
  ar: string,
  price: number,
  piece: number,
  picture: PictureKind,
  tone: ToneName,
];

/** `unit` as in "Parsley, bunch". */
export type CountedItem = readonly [
  en: string,
  ar: string,
  unit: { en: string; ar: string },
  price: number,
  picture: PictureKind,
  tone: ToneName,
];
