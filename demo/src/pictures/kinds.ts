import { baked } from './bakery.ts';
import { bags } from './bags.ts';
import { bars } from './bars.ts';
import { bottles } from './bottles.ts';
import { cartons } from './cartons.ts';
import { counter } from './counter.ts';
import { fruit } from './fruit.ts';
import { greens } from './greens.ts';
import { home } from './home.ts';
import { roots } from './roots.ts';
import { seafood } from './seafood.ts';
import { tins } from './tins.ts';
import type { ToneName } from './tones.ts';
import { tropical } from './tropical.ts';
import { vegetables } from './vegetables.ts';

export const shapes = {
  ...cartons,
  ...bottles,
  ...tins,
  ...bags,
  ...bars,
  ...home,
  ...baked,
  ...counter,
  ...seafood,
  ...fruit,
  ...tropical,
  ...vegetables,
  ...greens,
  ...roots,
};

export type PictureKind = keyof typeof shapes;

/** How a product is drawn: the shape, the colors of the brand and the variety, and the label text. */
export type Picture = {
  kind: PictureKind;
  pack: ToneName;
  accent: ToneName;
  brand: string;
  name: string;
  size: string;
};
