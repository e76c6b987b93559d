import '@mantine/dates/styles.css';
import 'dayjs/locale/ar';
import * as dates from '@mantine/dates';
import { useLanguage } from '../messages/language.ts';

// Date fields in the language of the portal.

export function DateInput(props: dates.DateInputProps) {
  return <dates.DateInput locale={useLanguage().language} {...props} />;
}

export function DateTimePicker(props: dates.DateTimePickerProps) {
  return <dates.DateTimePicker locale={useLanguage().language} {...props} />;
}

export function DateRangeInput(props: Omit<dates.DatePickerInputProps<'range'>, 'type'>) {
  return <dates.DatePickerInput type="range" locale={useLanguage().language} {...props} />;
}
