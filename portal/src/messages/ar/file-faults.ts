import type { faults as english } from '../en/file-faults.ts';
import type { Translation } from '../message.ts';

export const faults: Translation<keyof typeof english> = {
  'fault.empty_file': 'الملف فارغ، ويجب أن يحتوي سطره الأول على أسماء الأعمدة',
  'fault.too_many_columns': 'في السطر الأول أكثر من {max} عمود',
  'fault.unknown_column': 'العمود "{name}" غير معروف. الأعمدة المسموح بها: {allowed}',
  'fault.repeated_column': 'العمودان {first} و{second} كلاهما {name}، احذف أحدهما',
  'fault.missing_column': 'العمود {name} غير موجود. يجب أن يحتوي السطر الأول على أسماء الأعمدة، وهو "{found}"',
  'fault.only_column': 'العمود الوحيد هو {name}. الأعمدة المسموح بها: {allowed}',
  'fault.no_rows': 'لا توجد صفوف تحت أسماء الأعمدة',
  'fault.too_many_rows': 'عدد الصفوف أكبر من المسموح به لهذا العدد من المتاجر، قسّم الملف',
  'fault.more_rows': 'في الملف أكثر من {max} صف',
  'fault.unclosed_quote': 'في هذا السطر علامة اقتباس مفتوحة لم تُغلق',
  'fault.long_row': 'الصف أطول من {max} بايت. ربما تنقصه فواصل الأسطر أو علامة إغلاق الاقتباس',
  'fault.damaged_zip': 'ملف zip تالف أو غير مكتمل',
  'fault.damaged_gzip': 'ملف gzip تالف أو غير مكتمل',
  'fault.several_files': 'يجب أن يحتوي ملف zip على ملف CSV واحد فقط. إذا كان هذا ملف Excel فاحفظه أولًا بصيغة CSV',
  'fault.encrypted_zip': 'الملف داخل zip مشفّر، أرسله بلا كلمة مرور',
  'fault.zip_method': 'يجب أن يستخدم ملف zip طريقة الضغط deflate',
  'fault.large_zip': 'يجب ألا يتجاوز ملف zip حجم 4 GiB',
  'fault.large_content': 'الملف أكبر من {max} بايت بعد فك الضغط',
  'fault.large_ratio': 'حجم الملف بعد فك الضغط أكبر من {max} ضعف حجمه',
  'fault.large_promotion': 'يجب ألا يتجاوز ملف العروض {max} بايت قبل الضغط',
  'fault.too_much_memory': 'تحتاج قراءة الملف إلى ذاكرة كبيرة جدًا، قسّمه',
  'fault.foreign_stores': 'لا يمكن لصاحب الملف تغيير هذه المتاجر: {stores}',
  'fault.too_many_skus': 'يجب ألا يتجاوز العرض {max} من رموز SKU، يُحسب كل منها مرة لكل متجر',
};
