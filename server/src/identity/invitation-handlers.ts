import type { invitationRoutes } from '@aisle/contract/invitations';
import type { Config } from '../config.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { type Access, admitVendors } from './gate.ts';
import { inviteUser, revokeInvitation } from './invitations.ts';
import { rejectExpiringCreator } from './rules/own-access.ts';
import { invitationResponse, userResponse } from './user-response.ts';

export function invitationHandlers({
  links,
}: Config): Handlers<Pick<typeof invitationRoutes, 'inviteUser' | 'revokeInvitation'>, Access> {
  return {
    async inviteUser({ transaction, access, params }) {
      admitVendors(access.actor, '*');
      rejectExpiringCreator(access.actor, 'users');
      const { user, ...invited } = await transaction((tx) => inviteUser(tx, access.chainId, params.user_id));
      return {
        status: 201,
        body: { ...userResponse(user), invitation: invitationResponse(links.portal, invited) },
        headers: noStore,
      };
    },

    async revokeInvitation({ transaction, access, params }) {
      admitVendors(access.actor, '*');
      const user = await transaction((tx) => revokeInvitation(tx, access.chainId, params.user_id));
      return { status: 200, body: userResponse(user) };
    },
  };
}

const noStore = { 'cache-control': 'no-store' };
