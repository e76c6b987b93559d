import type { charts as english } from '../en/charts.ts';
import type { Translation } from '../message.ts';

export const charts: Translation<keyof typeof english> = {
  'charts.orders': 'الطلبات',
  'charts.total': '{total} في {14} يومًا',
  'charts.noOrders': 'لا طلبات في آخر {14} يومًا.',
  'charts.done': 'تم توصيلها أو استلامها',
  'charts.open': 'مفتوحة',
  'charts.cancelled': 'ملغاة',
  'charts.picking': 'التجهيز',
  'charts.noItems': 'لم تُجهَّز أي أصناف في آخر {14} يومًا.',
  'charts.picked': 'جُهِّزت كما طُلبت',
  'charts.missing': 'غير متوفرة',
  'charts.replaced': 'مستبدلة',
};
