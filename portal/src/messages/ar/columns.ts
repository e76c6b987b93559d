import type { columns as english } from '../en/columns.ts';
import type { Translation } from '../message.ts';

export const columns: Translation<keyof typeof english> = {
  'column.sku': 'رمز SKU.',
  'column.price': 'سعر الوحدة، أو سعر الكيلوغرام للمنتجات المبيعة بالوزن.',
  'column.quantity': 'المخزون، عدد صحيح. القيمة null تعني أنه غير معروف.',
  'column.active': 'هل يمكن طلب المنتج؟ نعم: true أو yes أو y أو 1 أو on. لا: false أو no أو n أو 0 أو off.',
  'column.maximum_sales_quantity': 'أقصى كمية لكل طلب، عدد صحيح. القيمة null تزيل الحد.',
  'column.barcode': 'الباركود، من 1 إلى 14 رقمًا.',
  'column.title': 'اسم المنتج بلغة المتجر. أضف رمز اللغة والبلد للغات الأخرى، مثل title_ar_AE.',
  'column.description': 'وصف المنتج بلغة المتجر. أضف رمز اللغة والبلد للغات الأخرى، مثل description_ar_AE.',
  'column.barcodes': 'رموز الباركود، كل منها من 1 إلى 14 رقمًا، وبينها العلامة |.',
  'column.categories': 'المعرّفات العامة للفئات، وبينها العلامة |.',
  'column.images': 'عناوين الصور (https)، وبينها العلامة |.',
  'column.is_sold_by_weight': 'هل السعر للكيلوغرام؟',
  'column.base_weight': 'الوزن الذي يشير إليه السعر، بالكيلوغرام.',
  'column.average_weight_per_piece': 'متوسط وزن القطعة، بالكيلوغرام.',
  'column.minimum_starting_weight': 'أقل وزن يمكن طلبه، بالكيلوغرام.',
  'column.type': 'القيمة STRIKETHROUGH أو SAME_ITEM_BUNDLE. يجب أن تتطابق في كل الصفوف.',
  'column.display_name':
    'اسم العرض بلغة المتجر الأول. أضف رمز اللغة والبلد للغات الأخرى، مثل display_name_en_SG. يجب أن يتطابق في كل الصفوف.',
  'column.start_time':
    'وقت بدء العرض بصيغة ISO 8601، بالتوقيت العالمي UTC إذا لم يُذكر فرق التوقيت. يجب أن يتطابق في كل الصفوف.',
  'column.end_time': 'وقت انتهاء العرض. يجب أن يتطابق في كل الصفوف.',
  'column.vendors':
    'المتاجر بمعرّفاتها في المنصة أو بمعرّفاتها الخارجية، وبينها العلامة |. القيمة الفارغة أو * تعني كل المتاجر التي يمكن لمن رفع الملف تغييرها. يجب أن تتطابق في كل الصفوف.',
  'column.discount_subtype': 'القيمة FINAL_PRICE أو ABSOLUTE أو PERCENTAGE.',
  'column.discount_value': 'السعر بعد الخصم، أو مبلغ الخصم، أو نسبة الخصم.',
  'column.max_quantity': 'أقصى عدد من الوحدات المخفَّضة لرمز SKU في كل طلب.',
  'column.activeInPromotion': 'القيمة false تزيل رمز SKU من العرض.',
  'column.purchased_quantity': 'عدد الوحدات التي يشتريها العميل في عرض الكمية. يجب أن يتطابق في كل الصفوف.',
  'column.discounted_quantity': 'عدد الوحدات المخفَّضة منها في عرض الكمية. يجب أن يتطابق في كل الصفوف.',
  'column.max_discount_per_order': 'أقصى خصم لكل طلب. يجب أن يتطابق في كل الصفوف.',
  'column.max_items_per_order': 'أقصى عدد من الوحدات المخفَّضة لكل طلب. يجب أن يتطابق في كل الصفوف.',
  'column.global_limit': 'أقصى عدد من الوحدات المخفَّضة إجمالًا. يجب أن يتطابق في كل الصفوف.',
};
