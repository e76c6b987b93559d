import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';

type SearchFieldProps = {
  label: string;
  placeholder: string;
  /** The current search term, from the URL. */
  term: string | undefined;
  onSearch(term: string | undefined): void;
};

/** Searches a list shortly after the last keystroke. */
export function SearchField({ label, placeholder, term, onSearch }: SearchFieldProps) {
  const find = useDebouncedCallback((typed: string) => onSearch(typed.trim() || undefined), 250);
  return (
    <TextInput
      key={term === undefined ? 'empty' : 'given'}
      type="search"
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={16} aria-hidden />}
      defaultValue={term ?? ''}
      onChange={(event) => find(event.currentTarget.value)}
      autoFocus={term !== undefined}
      style={{ flex: '1 1 220px' }}
    />
  );
}
