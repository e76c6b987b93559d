import type { signIn as english } from '../en/sign-in.ts';
import type { Translation } from '../message.ts';

export const signIn: Translation<keyof typeof english> = {
  'signIn.email': 'البريد الإلكتروني',
  'signIn.password': 'كلمة المرور',
  'signIn.chain': 'السلسلة',
  'signIn.chainHelp': 'أنت تنتمي إلى عدة سلاسل. اختر واحدة.',
  'signIn.code': 'الرمز',
  'signIn.codeHelp': 'من تطبيق المصادقة، أو رمز استرداد.',
  'signIn.submit': 'تسجيل الدخول',
  'signIn.wrong': 'البريد الإلكتروني أو كلمة المرور غير صحيح.',
  'signIn.wrongCode': 'الرمز غير صحيح. استخدم أحدث رمز من تطبيق المصادقة.',
  'signIn.tooMany': 'محاولات كثيرة جدًا. انتظر قليلًا ثم حاول مرة أخرى.',
};
