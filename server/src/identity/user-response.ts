import { platformRoleOf } from './rules/platform.ts';
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
    invitation_expires_at: row.invitation_expires_at?.toISOString() ?? null,
  };
}

export function platformUserResponse(row: UserRow) {
  const { vendor_ids: _, ...user } = userResponse(row);
  return { ...user, role: platformRoleOf(row.role) };
}

/** The token is in the fragment, which browsers do not send to servers. `site` is the URL of the portal or the console. */
export function invitationResponse(site: string, { token, expiresAt }: { token: string; expiresAt: Date }) {
  return { url: `${site}/invitation#${token}`, expires_at: expiresAt.toISOString() };
}
