import type { UserRow } from './user-queries.ts';

export function userResponse(row: UserRow) {
  return {
    user_id: row.user_id,
    email: row.email,
    name: row.name,
    role: row.role,
    vendor_ids: row.vendor_ids,
    created_at: row.created_at.toISOString(),
    last_sign_in_at: row.last_sign_in_at?.toISOString() ?? null,
    has_second_factor: row.has_second_factor,
  };
}
