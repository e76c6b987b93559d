import { type Art, escapeXml, paper } from './pictures/art.ts';
import { type Picture, shapes } from './pictures/kinds.ts';
import { type Tone, tones } from './pictures/tones.ts';
import type { Translated } from './categories.ts';
import { demoProducts } from './products.ts';

type Drawable = { sku: string; title: Translated; picture: Picture };

/** A flat drawing of the product as a 400 × 400 SVG. */
export function drawPicture(product: Drawable): string {
  const { kind, pack, accent, brand, name, size } = product.picture;
  const art: Art = {
    pack: tones[pack],
    accent: pack === accent ? darker(tones[accent]) : tones[accent],
    brand,
    name,
    size,
  };
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400" width="400" height="400" role="img"',
    ' font-family="Avenir Next,Segoe UI,Helvetica Neue,Arial,sans-serif" text-anchor="middle">',
    `<title>${escapeXml(product.title.en_AE)}</title>`,
    `<rect width="400" height="400" fill="${art.accent.pale}"/>`,
    '<circle cx="200" cy="196" r="168" fill="#fff" opacity=".55"/>',
    shapes[kind](art),
    '</svg>',
  ].join('');
}

/** Keeps a variety's color visible on packaging of the same color. */
function darker(tone: Tone): Tone {
  return { ...tone, base: tone.dark, ink: paper };
}

let bySku: ReadonlyMap<string, Drawable> | undefined;

export function pictureFor(sku: string): string | null {
  bySku ??= new Map(demoProducts().map((product) => [product.sku, product]));
  const product = bySku.get(sku);
  return product ? drawPicture(product) : null;
}
