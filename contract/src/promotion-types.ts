export const promotionTypes = ['STRIKETHROUGH', 'SAME_ITEM_BUNDLE'] as const;
export const discountSubtypes = ['FINAL_PRICE', 'PERCENTAGE', 'ABSOLUTE'] as const;

export type PromotionType = (typeof promotionTypes)[number];
export type DiscountSubtype = (typeof discountSubtypes)[number];
