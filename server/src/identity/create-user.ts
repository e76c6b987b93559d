import { isUniqueViolation, savepoint, type Tx } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { newId, randomBase62 } from '../kernel/values/ids.ts';
import { hashSecret } from './secret.ts';
import { insertUser, type UserRow } from './user-queries.ts';

export type UserInput = { email: string; name: string; role: string; password?: string };

/** Without a password one is made, and given back to be shown this once. */
export async function createUser(tx: Tx, chainId: string, input: UserInput): Promise<UserRow & { password?: string }> {
  const made = input.password === undefined ? newPassword() : undefined;
  const user = {
    user_id: newId(),
    email: input.email,
    name: input.name,
    role: input.role,
    password_hash: await hashSecret(made ?? input.password ?? ''),
  };
  const row = await savepoint(tx, () => insertUser(tx, chainId, user)).catch((error: unknown) => {
    throw isUniqueViolation(error, 'users_email_key') ? new Failure('email_taken') : error;
  });
  return { ...row, ...(made !== undefined && { password: made }) };
}

export function newPassword(): string {
  return randomBase62(16);
}
