/** The frame of the portal: header, navigation, errors, empty states. */
export const shell = {
  'shell.language': 'Language',
} as const;
