import type { api as english } from '../en/api.ts';
import type { Translation } from '../message.ts';

export const api: Translation<keyof typeof english> = {
  'api.unreachable': 'يتعذر الوصول إلى الخادم.',
  'api.status': 'استجاب الخادم بالحالة {status}.',
  'api.connectionLost': 'انقطع الاتصال. ارفع الملف مرة أخرى.',
  'api.cancelled': 'أُلغي الرفع.',
  'api.failed': 'حدث خطأ ما',
  'error.rate_limited': 'طلبات كثيرة جدًا. انتظر قليلًا ثم حاول مرة أخرى.',
  'error.internal_error': 'حدث عطل في الخادم. حاول مرة أخرى، وإذا تكرر فتواصل مع مسؤول المنصة.',
  'error.service_unavailable': 'الخدمة غير متاحة مؤقتًا. حاول مرة أخرى بعد قليل.',
  'error.forbidden': 'ليست لديك صلاحية لذلك: {detail}',
};
