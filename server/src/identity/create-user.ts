import { isUniqueViolation, savepoint, type Tx } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { newId } from '../kernel/values/ids.ts';
import { hashSecret, newPassword } from './secrets.ts';
import { insertUser, type UserRow } from './user-queries.ts';

export type UserInput = { email: string; name: string; role: string; password?: string };

/** If no password is given, one is generated and returned, to be shown once. */
export async function createUser(tx: Tx, chainId: string, input: UserInput): Promise<UserRow & { password?: string }> {
  const generated = input.password === undefined ? newPassword() : undefined;
  const user = {
    user_id: newId(),
    email: input.email,
    name: input.name,
    role: input.role,
    password_hash: await hashSecret(generated ?? input.password ?? ''),
  };
  const row = await savepoint(tx, () => insertUser(tx, chainId, user)).catch((error: unknown) => {
    throw isUniqueViolation(error, 'users_email_key') ? new Failure('email_taken') : error;
  });
  return { ...row, ...(generated !== undefined && { password: generated }) };
}
