import type { api as english } from '../en/api.ts';
import type { Translation } from '../message.ts';

export const api: Translation<keyof typeof english> = {
  'api.unreachable': 'يتعذر الوصول إلى الخادم.',
  'api.status': 'استجاب الخادم بالحالة {status}.',
  'api.connectionLost': 'انقطع الاتصال. ارفع الملف مرة أخرى.',
  'api.cancelled': 'أُلغي الرفع.',
  'api.failed': 'حدث خطأ ما',
};
