import '@mantine/dates/styles.css';
import 'dayjs/locale/ar';
import * as dates from '@mantine/dates';
import { useLanguage } from '../messages/language.ts';

// Date fields in the language of the portal. The day is before the month, as in other dates of the portal.

const dayFormat = 'D MMM YYYY';

export function DateInput(props: dates.DateInputProps) {
  return <dates.DateInput valueFormat={dayFormat} locale={useLanguage().language} {...props} />;
}

export function DateTimePicker(props: dates.DateTimePickerProps) {
  return <dates.DateTimePicker locale={useLanguage().language} {...props} />;
}

export function DateRangeInput(props: Omit<dates.DatePickerInputProps<'range'>, 'type'>) {
  return <dates.DatePickerInput type="range" valueFormat={dayFormat} locale={useLanguage().language} {...props} />;
}
