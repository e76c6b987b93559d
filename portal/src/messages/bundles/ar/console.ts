export { codes } from '../../ar/codes.ts';
export { consoleTexts } from '../../ar/console.ts';
export { users } from '../../ar/users.ts';
