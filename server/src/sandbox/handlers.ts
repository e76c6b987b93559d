import type { sandboxRoutes } from '@aisle/contract/sandbox';
import type { Config } from '../config.ts';
import { type Access, getVendor, type VendorRow } from '../identity/index.ts';
import type { Db } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { getVisibleOrder, type Move, moveOrder, type OrderRow, orderResponse, placeOrder } from '../orders/index.ts';
import { findExpectation, findRider } from './queries.ts';
import { setRider } from './ride-order.ts';
import { sendTestOrder } from './send-test-order.ts';

type Routes = typeof sandboxRoutes;
type MoveCall = Pick<
  Parameters<Handlers<Routes, Access>['sandboxPickUpOrder']>[0],
  'access' | 'params' | 'transaction'
>;

export function sandboxHandlers(config: Config): Handlers<Routes, Access> {
  const { readableDays } = config.limits;
  const response = (row: OrderRow) => orderResponse(row, config.links);
  const reachOf = ({ actor }: Access) => ({ vendorIds: actor.vendorIds, readableDays, now: new Date() });

  const makeMove = async ({ access, params, transaction }: MoveCall, move: Move) => {
    const row = await transaction(async (tx) => {
      // An order can be cancelled no matter how old it is.
      const reach = move.action === 'cancel' ? { ...reachOf(access), readableDays: null } : reachOf(access);
      const order = await getVisibleOrder(tx, access.chainId, params.order_id, reach);
      await getTestVendor(tx, access, order.vendor_id);
      return moveOrder(tx, access.chainId, order.order_id, move, new Date(), config.links);
    });
    return { status: 200 as const, body: response(row) };
  };

  return {
    async createTestOrder({ access, body, transaction }) {
      const { chainId, vendor, actor } = access;
      const by = { name: 'platform', actor: `${actor.kind}:${actor.id}` };
      const context = { by, now: new Date(), links: config.links };
      const row = await transaction((tx) => sendTestOrder(tx, chainId, vendor, body, context));
      return { status: 201, body: response(row) };
    },

    async getTestOrder({ access, params, db }) {
      const order = await getVisibleOrder(db, access.chainId, params.order_id, reachOf(access));
      const expected = await findExpectation(db, access.chainId, order.order_id);
      if (!expected) throw new Failure('order_not_found', `The order ${order.order_id} is not a test order.`);
      return { status: 200, body: { order_id: order.order_id, expected, order: response(order) } };
    },

    async sandboxPlaceOrder({ access, body, transaction }) {
      const { vendor_id: vendorId, ...order } = body;
      const row = await transaction(async (tx) => {
        const vendor = await getTestVendor(tx, access, vendorId);
        const { kind, id, vendorIds } = access.actor;
        const by = { name: 'customer', actor: `${kind}:${id}` };
        const placement = { order, isTest: false, by, now: new Date(), vendorIds };
        return placeOrder(tx, access.chainId, vendor, placement, config.links);
      });
      return { status: 201, body: response(row) };
    },

    async getSandboxRider({ access, db }) {
      const after_seconds = await findRider(db, access.chainId, access.vendor.vendor_id);
      return { status: 200, body: { after_seconds } };
    },

    async putSandboxRider({ access, body, transaction }) {
      const { chainId, vendor } = access;
      await transaction(async (tx) => {
        await getTestVendor(tx, access, vendor.vendor_id);
        await setRider(tx, chainId, vendor.vendor_id, body.after_seconds);
      });
      return { status: 200, body };
    },

    sandboxCancelOrder: (call) => makeMove(call, { action: 'cancel', ...call.body }),
    sandboxPickUpOrder: (call) => makeMove(call, { action: 'pickup' }),
    sandboxDeliverOrder: (call) => makeMove(call, { action: 'deliver' }),
    sandboxCollectOrder: (call) => makeMove(call, { action: 'collect' }),
  };
}

/** A partner can act as the platform only at test stores. */
async function getTestVendor(db: Db, { chainId, actor }: Access, vendorId: string): Promise<VendorRow> {
  const vendor = await getVendor(db, chainId, actor, vendorId);
  if (!vendor.test) throw new Failure('sandbox_unavailable', `The store ${vendor.vendor_id} is not a test store.`);
  return vendor;
}
