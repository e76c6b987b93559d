import type { shell as english } from '../en/shell.ts';
import type { Translation } from '../message.ts';

export const shell: Translation<keyof typeof english> = {
  'shell.language': 'اللغة',
};
