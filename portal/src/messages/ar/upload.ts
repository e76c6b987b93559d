import type { upload as english } from '../en/upload.ts';
import type { Translation } from '../message.ts';

export const upload: Translation<keyof typeof english> = {
  'upload.title': 'رفع ملف',
  'upload.about': 'ارفع ملف CSV. تُعرض الأسعار والمخزون كمعاينة أولًا. الصفوف التي لا يمكن تطبيقها تُذكر، وتُطبَّق البقية.',
  'upload.allFiles': 'كل الملفات',
  'upload.readOnly': 'لديك صلاحية القراءة فقط. رفع الملفات متاح للمديرين والمالكين.',
  'upload.notUploaded': 'لم يُرفع {name}',
  'upload.tooLarge': 'الحد الأقصى لحجم الملف {size}. اضغطه أو قسّمه إلى عدة ملفات.',
  'upload.preview': 'معاينة التغييرات',
  'upload.upload': 'رفع',
  'upload.chooseAnother': 'اختيار ملف آخر',
  'upload.contains': 'ماذا يحتوي الملف؟',
  'upload.applyTo': 'تطبيق على',
  'upload.allStores': {
    zero: 'كل المتاجر',
    one: 'كل المتاجر ({count})',
    two: 'كل المتاجر ({count})',
    few: 'كل المتاجر ({count})',
    many: 'كل المتاجر ({count})',
    other: 'كل المتاجر ({count})',
  },
  'upload.progress': 'تقدّم الرفع',
  'upload.uploaded': 'رُفع {percent}',
  'upload.waiting': 'تم الرفع. في انتظار الخادم…',
  'upload.columns': 'الأعمدة',
  'upload.template': 'تنزيل القالب',
  'upload.columnsHelp':
    'يحتوي الصف الأول على أسماء الأعمدة بأي ترتيب. راجع {guide} لمعرفة الأسماء الأخرى المقبولة والترميزات وتنسيقات الأرقام.',
  'upload.guide': 'الدليل',
  'upload.required': 'مطلوب',
  'upload.drop': 'أفلت ملف CSV هنا، أو',
  'upload.csvFile': 'ملف CSV',
  'upload.choose': 'اختيار ملف',
  'upload.compressed': 'يمكن أن يكون الملف مضغوطًا: ‎.csv.gz أو ‎.zip يحتوي على ملف واحد.',
};
