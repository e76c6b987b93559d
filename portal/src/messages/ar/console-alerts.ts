import type { consoleAlerts as english } from '../en/console-alerts.ts';
import type { Translation } from '../message.ts';

export const consoleAlerts = {
  'console.openAlerts': {
    zero: 'لا تنبيهات مفتوحة',
    one: 'تنبيه مفتوح واحد',
    two: 'تنبيهان مفتوحان',
    few: '{count} تنبيهات مفتوحة',
    many: '{count} تنبيهًا مفتوحًا',
    other: '{count} تنبيه مفتوح',
  },
  'console.endedAlerts': 'تنبيهات انتهت خلال آخر {24} ساعة',
  'console.alertSince': 'بدأ',
  'console.alert.store': {
    zero: '{store} ({chain}): المتجر صامت',
    one: '{store} ({chain}): المتجر صامت، وطلب واحد ينتظر',
    two: '{store} ({chain}): المتجر صامت، وطلبان ينتظران',
    few: '{store} ({chain}): المتجر صامت، و{count} طلبات تنتظر',
    many: '{store} ({chain}): المتجر صامت، و{count} طلبًا ينتظر',
    other: '{store} ({chain}): المتجر صامت، و{count} طلب ينتظر',
  },
  'console.alert.endpoint': '{chain}: تفشل رسائل webhook إلى {url}',
  'console.alert.platformEndpoint': 'تفشل رسائل webhook الخاصة بالمنصة إلى {url}',
  'console.alert.deliveries': {
    zero: 'عمليات تسليم لا تُرسَل في وقتها',
    one: 'عملية تسليم واحدة لم تُرسَل في وقتها',
    two: 'عمليتا تسليم لم تُرسَلا في وقتهما',
    few: '{count} عمليات تسليم لم تُرسَل في وقتها',
    many: '{count} عملية تسليم لم تُرسَل في وقتها',
    other: '{count} عملية تسليم لم تُرسَل في وقتها',
  },
  'console.alert.tasks': {
    zero: 'مهام خلفية لا تُنفَّذ في وقتها',
    one: 'مهمة خلفية واحدة لم تُنفَّذ في وقتها',
    two: 'مهمتان خلفيتان لم تُنفَّذا في وقتهما',
    few: '{count} مهام خلفية لم تُنفَّذ في وقتها',
    many: '{count} مهمة خلفية لم تُنفَّذ في وقتها',
    other: '{count} مهمة خلفية لم تُنفَّذ في وقتها',
  },
  'console.webhooks': 'إشعارات Webhook',
  'console.webhooksAbout': 'إلى أين تُرسَل أحداث كل السلاسل لأجل المنصة، مثل واجهة متجرها أو أداة المناوبة.',
  'console.eventTypes': 'الأحداث',
  'console.description': 'الوصف',
  'console.pingFailed': 'فشلت رسالة ping',
} as const satisfies Translation<keyof typeof english>;
