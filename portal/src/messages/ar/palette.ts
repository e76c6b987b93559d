import type { palette as english } from '../en/palette.ts';
import type { Translation } from '../message.ts';

export const palette: Translation<keyof typeof english> = {
  'palette.title': 'البحث في البوابة',
  'palette.placeholder': 'صفحة أو طلب أو منتج',
  'palette.pages': 'الصفحات',
  'palette.stores': 'المتاجر',
  'palette.orders': 'الطلبات',
  'palette.products': 'المنتجات في {store}',
  'palette.jobs': 'المهام',
  'palette.job': '{type} في {time}',
  'palette.nothing': 'لا توجد نتائج',
  'palette.results': {
    zero: 'لا نتائج',
    one: 'نتيجة واحدة',
    two: 'نتيجتان',
    few: '{count} نتائج',
    many: '{count} نتيجة',
    other: '{count} نتيجة',
  },
  'palette.searching': 'جارٍ البحث…',
  'palette.hint': '↑ ↓ للتنقل، Enter للفتح، Esc للإغلاق',
};
