import type { profile as english } from '../en/profile.ts';
import type { Translation } from '../message.ts';

export const profile: Translation<keyof typeof english> = {
  'profile.title': 'نمط API',
  'profile.about': 'مدى صرامة API في التحقق من طلبات سلسلتك. يمكنك تغييره في أي وقت.',
  'profile.ownersOnly': 'المالكون وحدهم يمكنهم تغيير النمط.',
  'profile.profile': 'النمط',
  'profile.switchTo': 'التبديل إلى {profile}؟',
  'profile.switchText': 'يسري التغيير فورًا على كل طلبات سلسلتك.',
  'profile.switch': 'تبديل',
  'profile.switched': 'تم التبديل إلى {profile}.',
  'profile.strict': 'صارم',
  'profile.strict.about': 'يتبع المواصفات بدقة. يُنصح به لعمليات التكامل الجديدة، لأن الأخطاء تظهر فورًا.',
  'profile.strict.fields': 'يجب إرسال الحقول الإلزامية، ويجب أن يتضمن تجهيز الطلب كل أصنافه.',
  'profile.strict.single': 'يُطبَّق تحديث المنتج الواحد فورًا، وتتضمن الاستجابة المنتج.',
  'profile.strict.dates': 'تُرفض الفترات التي تزيد على {60} يومًا.',
  'profile.tolerant': 'مرن',
  'profile.tolerant.about':
    'يقبل أيضًا الطلبات غير القياسية من أجهزة التجهيز الحالية. استخدمه للأجهزة التي لا يمكنك تغييرها.',
  'profile.tolerant.items': 'إذا أُغفلت أصناف أو حالاتها أو أسعارها عند تجهيز الطلب، تُؤخذ من الطلب.',
  'profile.tolerant.accepted': 'تُقبل الحالة ACCEPTED دون أن يكون لها أثر.',
  'profile.tolerant.single': 'يُنفَّذ تحديث المنتج الواحد كمهمة، مثل التحديثات الكبيرة.',
  'profile.tolerant.dates': 'تُقصَّر الفترات التي تزيد على {60} يومًا إلى آخر {60} يومًا.',
};
