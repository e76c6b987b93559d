import type { UserRow } from './user-queries.ts';

export function userResponse(row: UserRow) {
  return {
    user_id: row.user_id,
    email: row.email,
    name: row.name,
    role: row.role,
    created_at: row.created_at.toISOString(),
    last_sign_in_at: row.last_sign_in_at?.toISOString() ?? null,
    has_second_factor: row.has_second_factor,
  };
}
