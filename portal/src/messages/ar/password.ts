import type { password as english } from '../en/password.ts';
import type { Translation } from '../message.ts';

export const password: Translation<keyof typeof english> = {
  'password.change': 'تغيير كلمة المرور',
  'password.signsOut': 'تبقى مسجّل الدخول هنا، ويُسجَّل خروجك من كل مكان آخر.',
  'password.current': 'كلمة المرور الحالية',
  'password.enterCurrent': 'أدخل كلمة مرورك الحالية',
  'password.new': 'كلمة المرور الجديدة',
  'password.again': 'تأكيد كلمة المرور الجديدة',
  'password.rules': '{min} حرفًا على الأقل. بضع كلمات غير مترابطة تشكل كلمة مرور جيدة.',
  'password.tooShort': '{min} حرفًا على الأقل',
  'password.mismatch': 'كلمتا المرور غير متطابقتين',
  'password.changed': 'تم تغيير كلمة المرور، وسُجّل خروجك من كل مكان آخر.',
  'password.requiredTitle': 'اختر كلمة مرور جديدة',
  'password.required': 'شخص آخر عيّن كلمة مرورك. اختر كلمة مرورك الخاصة للمتابعة.',
};
