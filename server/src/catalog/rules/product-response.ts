import type { Links } from '../../config.ts';
import type { Product } from '@aisle/contract/product';
import type { Static } from 'typebox';
import type { ProductRow, Texts } from '../queries.ts';

/** The vendor's settings that affect responses. A product with stock at or below `sales_buffer` is sold out. */
export type DisplaySettings = { currency: string; locale: string; sales_buffer: number };

/** The fields that a running promotion adds to a product. */
export type ShownPromotion = Pick<Static<typeof Product>, 'promotional_price' | 'promotion'>;

export function productResponse(
  row: ProductRow,
  vendor: DisplaySettings,
  locale: string | undefined,
  links: Pick<Links, 'image'>,
  shown: ShownPromotion = {},
): Static<typeof Product> {
  const categories = row.categories ?? [];
  const first = categories[0];
  const text = (texts: Texts) => chooseText(texts, locale ?? vendor.locale, vendor.locale);
  return {
    sku: row.sku,
    remote_product_id: row.product_id,
    barcodes: row.barcodes,
    title: text(row.titles),
    description: text(row.descriptions),
    translations: row.titles,
    descriptions: row.descriptions,
    // Images that we serve ourselves are stored without the public URL, because that URL can change.
    images: row.images.map(links.image),
    price: Number(row.price),
    ...shown,
    currency: vendor.currency,
    status: row.active ? 'ACTIVE' : 'INACTIVE',
    active: row.active,
    available: isAvailable(row, vendor.sales_buffer),
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

/** Tries the locale, then the same language in another country, then the vendor's locale, then any other. */
export function chooseText(texts: Texts, locale: string, fallback: string): string | null {
  const language = `${locale.split('_')[0]}_`;
  const locales = Object.keys(texts).toSorted();
  const sameLanguage = locales.find((key) => key.startsWith(language));
  const key = [locale, sameLanguage, fallback, locales[0]].find((candidate) => candidate && candidate in texts);
  return key === undefined ? null : (texts[key] ?? null);
}
