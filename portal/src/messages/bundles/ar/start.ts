export { account } from '../../ar/account.ts';
export { api } from '../../ar/api.ts';
export { kit } from '../../ar/kit.ts';
export { password } from '../../ar/password.ts';
export { shell } from '../../ar/shell.ts';
export { signIn } from '../../ar/sign-in.ts';
