import type { productPage as english } from '../en/product-page.ts';
import type { Translation } from '../message.ts';

export const productPage: Translation<keyof typeof english> = {
  'productPage.catalog': 'الكتالوج',
  'productPage.missing': 'المنتج غير موجود',
  'productPage.missingHelp': 'لا يعرض أي من متاجرك منتجًا بهذا الرمز (SKU).',
  'productPage.barcodes': 'الباركود',
  'productPage.offers': 'في متاجرك',
  'productPage.store': 'المتجر',
  'productPage.price': 'السعر',
  'productPage.perKilogram': ' / كجم',
  'productPage.now': 'الآن {price}',
  'productPage.stock': 'المخزون',
  'productPage.notTracked': 'غير متتبع',
  'productPage.active': 'نشط',
  'productPage.changed': 'تاريخ التغيير',
  'productPage.promotions': 'العروض',
  'productPage.promotion': 'العرض',
  'productPage.noPromotions': 'لا يشمل أي عرض هذا المنتج.',
  'productPage.status': 'الحالة',
  'productPage.from': 'من',
  'productPage.until': 'حتى',
  'productPage.orders': 'الطلبات الأخيرة',
  'productPage.order': 'الطلب',
  'productPage.placed': 'وقت الطلب',
  'productPage.noOrders': 'لا يحتوي أي طلب حديث على هذا المنتج.',
};
