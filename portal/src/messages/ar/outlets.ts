import type { outlets as english } from '../en/outlets.ts';
import type { Translation } from '../message.ts';

const storeForms = {
  zero: 'لا متاجر',
  one: 'متجر واحد',
  two: 'متجران',
  few: '{count} متاجر',
  many: '{count} متجرًا',
  other: '{count} متجر',
};
const objectForms = { ...storeForms, two: 'متجرين' };

function withStores(start: string, end: string, forms: typeof storeForms): typeof storeForms {
  return Object.fromEntries(
    Object.entries(forms).map(([form, text]) => [form, `${start}${text}${end}`]),
  ) as typeof storeForms;
}

export const outlets: Translation<keyof typeof english> = {
  'outlets.title': 'حالة الاستقبال',
  'outlets.isOpen': 'المتجر يستقبل الطلبات.',
  'outlets.isClosedByPlatform': 'أغلقته المنصة. تواصل مع مسؤول المنصة لإعادة فتحه.',
  'outlets.isClosedUntil': 'لا يستقبل الطلبات حتى {time}. السبب: {reason}.',
  'outlets.isClosedUntilReopened': 'لا يستقبل الطلبات حتى تعيد فتحه. السبب: {reason}.',
  'outlets.byPlatform': 'من المنصة',
  'outlets.untilTime': 'حتى {time}',
  'outlets.untilReopened': 'حتى إعادة الفتح',
  'outlets.reason': 'السبب',
  'outlets.until': 'حتى',
  'outlets.end.minutes30': 'بعد نصف ساعة',
  'outlets.end.minutes60': 'بعد ساعة',
  'outlets.end.today': 'نهاية اليوم',
  'outlets.end.tomorrow': 'غدًا الساعة …',
  'outlets.end.time': 'تاريخ ووقت …',
  'outlets.end.reopened': 'أن أعيد فتحه',
  'outlets.tomorrowAt': 'يُعاد الفتح غدًا الساعة',
  'outlets.reopensAt': 'يُعاد الفتح في',
  'outlets.localTime': 'بالتوقيت المحلي للمتجر.',
  'outlets.browserTime': 'بتوقيت هذا المتصفح.',
  'outlets.openNow': 'افتح الآن',
  'outlets.open': withStores('افتح ', '', objectForms),
  'outlets.close': { ...withStores('أغلق ', '', objectForms), one: 'أغلق المتجر' },
  'outlets.closeTitle': withStores('إغلاق ', '', objectForms),
  'outlets.opened': { ...withStores('فُتح ', '.', storeForms), one: 'فُتح المتجر.' },
  'outlets.closed': { ...withStores('أُغلق ', '.', storeForms), one: 'أُغلق المتجر.' },
  'outlets.notChanged': withStores('لم يتغير ', '', storeForms),
  'stores.title': 'المتاجر',
  'stores.about': 'متاجر سلسلتك. اختر متجرًا لعرض إعداداته أو تغييرها.',
  'stores.select': 'تحديد {store}',
  'stores.selectAll': 'تحديد كل المتاجر',
  'stores.selected': withStores('تم تحديد ', '', objectForms),
  'stores.clear': 'إلغاء التحديد',
  'stores.store': 'المتجر',
  'stores.test': 'تجريبي',
  'stores.status': 'الحالة',
  'stores.platformId': 'معرّف المنصة',
  'stores.number': 'رقم متجرك',
  'stores.delivery': 'التوصيل',
  'stores.byPlatform': 'المنصة',
  'stores.byStore': 'المتجر',
  'stores.currency': 'العملة',
  'stores.language': 'اللغة',
  'stores.timeZone': 'المنطقة الزمنية',
};
