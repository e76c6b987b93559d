export { codes } from '../../en/codes.ts';
export { consoleTexts } from '../../en/console.ts';
export { users } from '../../en/users.ts';
