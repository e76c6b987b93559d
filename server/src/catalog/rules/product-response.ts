import type { Links } from '../../config.ts';
import type { Product } from '@aisle/contract/catalog';
import type { Static } from 'typebox';
import type { ProductRow, Texts } from '../queries.ts';

/** How the vendor shows products: its currency, its locale, and the stock up to which a product is sold out. */
export type Shelf = { currency: string; locale: string; sales_buffer: number };

/** What a running promotion adds to a product. */
export type ShownPromotion = Pick<Static<typeof Product>, 'promotional_price' | 'promotion'>;

export function productResponse(
  row: ProductRow,
  shelf: Shelf,
  locale: string | undefined,
  links: Pick<Links, 'image'>,
  shown: ShownPromotion = {},
): Static<typeof Product> {
  const categories = row.categories ?? [];
  const first = categories[0];
  const text = (texts: Texts) => chooseText(texts, locale ?? shelf.locale, shelf.locale);
  return {
    sku: row.sku,
    remote_product_id: row.product_id,
    barcodes: row.barcodes,
    title: text(row.titles),
    description: text(row.descriptions),
    translations: row.titles,
    descriptions: row.descriptions,
    // Pictures that we serve ourselves are stored without our address, which may change.
    images: row.images.map(links.image),
    price: Number(row.price),
    ...shown,
    currency: shelf.currency,
    status: row.active ? 'ACTIVE' : 'INACTIVE',
    active: row.active,
    available: isAvailable(row, shelf.sales_buffer),
    quantity: row.quantity,
    maximum_sales_quantity: row.maximum_sales_quantity,
    is_sold_by_weight: row.is_sold_by_weight,
    ...(row.weight_specifications && { weight_specifications: row.weight_specifications }),
    category: first ? text(first.name) : null,
    categories: categories.map(({ global_id, name, description, active }) => ({
      global_id,
      details: { name, description },
      active,
    })),
    updated_at: row.updated_at.toISOString(),
  };
}

export function isAvailable(
  offer: { active: boolean; quantity: number | null; maximum_sales_quantity: number | null },
  salesBuffer: number,
): boolean {
  const isSoldOut = offer.quantity !== null && offer.quantity <= salesBuffer;
  return offer.active && !isSoldOut && offer.maximum_sales_quantity !== 0;
}

/** The locale itself, then its language in another country, then the vendor's own, then any. */
export function chooseText(texts: Texts, locale: string, fallback: string): string | null {
  const language = `${locale.split('_')[0]}_`;
  const locales = Object.keys(texts).toSorted();
  const sameLanguage = locales.find((key) => key.startsWith(language));
  const key = [locale, sameLanguage, fallback, locales[0]].find((one) => one && one in texts);
  return key === undefined ? null : (texts[key] ?? null);
}
