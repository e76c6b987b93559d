import type { barcodes as english } from '../en/barcodes.ts';
import type { Translation } from '../message.ts';

export const barcodes: Translation<keyof typeof english> = {
  'barcodes.title': 'باركود الموازين',
  'barcodes.about':
    'تطبع الموازين باركودًا يحتوي على وزن العبوة أو سعرها. يقرؤه تطبيق التجهيز كما هو موضح هنا في كل المتاجر.',
  'barcodes.readOnly': 'لا يغيّر هذا إلا المالكون الذين لديهم صلاحية على كل المتاجر.',
  'barcodes.none': 'لا أنماط',
  'barcodes.noneHelp': 'يُقرأ الباركود الذي يبدأ بـ 02 أو من 20 إلى 29 مثل أي باركود آخر.',
  'barcodes.add': 'إضافة نمط',
  'barcodes.save': 'حفظ',
  'barcodes.saved': 'حُفظت الأنماط.',
  'barcodes.prefix': 'البادئة',
  'barcodes.contains': 'يحتوي على',
  'barcodes.weight': 'الوزن',
  'barcodes.price': 'السعر',
  'barcodes.code_digits': 'خانات رمز الصنف',
  'barcodes.value_digits': 'خانات القيمة',
  'barcodes.decimals': 'الخانات العشرية',
  'barcodes.tooLong': 'مجموعهما {max} على الأكثر',
  'barcodes.remove': 'إزالة نمط {prefix}',
  'barcodes.try': 'جرّب باركودًا',
  'barcodes.tryHelp': 'امسح الخانات الـ {count} أو اكتبها.',
  'barcodes.foundWeight': 'رمز الصنف {code}، {value} كغم',
  'barcodes.foundPrice': 'رمز الصنف {code}، السعر {value}',
  'barcodes.notFound': 'لا يطابقه أي نمط، أو أن خانة التحقق خاطئة.',
};
