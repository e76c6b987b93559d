import type { Translate } from '../messages/catalogue.ts';
import { ApiError } from './api-error.ts';

/** Why a sign-in failed, in the user's language. Undefined for other failures. The messages of the API are in English. */
export function signInFailure(error: unknown, t: Translate): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.status === 429) return t('signIn.tooMany');
  if (error.problem.code === 'invalid_code') return t('signIn.wrongCode');
  return error.status === 401 ? t('signIn.wrong') : undefined;
}
