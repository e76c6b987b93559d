export { account } from '../../en/account.ts';
export { api } from '../../en/api.ts';
export { kit } from '../../en/kit.ts';
export { password } from '../../en/password.ts';
export { shell } from '../../en/shell.ts';
export { signIn } from '../../en/sign-in.ts';
