import type { values as english } from '../en/value-faults.ts';
import type { Translation } from '../message.ts';

export const values: Translation<keyof typeof english> = {
  'value.required': 'قيمة مطلوبة',
  'value.true_or_false': 'يجب أن تكون القيمة true أو false',
  'value.whole': 'يجب إدخال عدد صحيح',
  'value.whole_range': 'يجب إدخال عدد صحيح من {min} إلى {max}، أو null',
  'value.number_range': 'يجب إدخال عدد من {min} إلى {max}',
  'value.small_price': 'يجب أن يكون السعر 0 أو {min} على الأقل، لأن الأسعار الأصغر تُقتطع إلى 0',
  'value.ambiguous_number': 'يمكن قراءة العدد بطريقتين، فاكتب 1234 أو 1.234 بدلًا من 1,234',
  'value.minimum': 'يجب ألا تقل القيمة عن {min}',
  'value.maximum': 'يجب ألا تزيد القيمة على {max}',
  'value.text_length': 'يجب إدخال نص طوله من {min} إلى {max} حرفًا',
  'value.one_character': 'يجب إدخال حرف واحد على الأقل',
  'value.min_characters': 'يجب ألا يقل عدد الأحرف عن {min}',
  'value.max_characters': 'يجب ألا يزيد عدد الأحرف على {max}',
  'value.digits': 'يجب إدخال أرقام فقط، عددها من {min} إلى {max}',
  'value.outer_space': 'يجب ألا يبدأ النص أو ينتهي بمسافة',
  'value.bad_character': 'يحتوي النص على محرف غير صالح: U+0000 أو نصف زوج بديل',
  'value.blank': 'يجب ألا يكون النص فارغًا',
  'value.email': 'يجب إدخال عنوان بريد إلكتروني',
  'value.one_of': 'القيم المسموح بها: {values}',
  'value.past': 'يجب أن يكون الوقت في المستقبل',
  // The mark makes the text start from the right, although the name of the field is Latin.
  'value.ofField': '\u200f{field}: {reason}',
  'value.several': '{first}؛ {next}',
};
