import Type from 'typebox';
import { described, Id, Nullable, OneOf, Timestamp } from './common.ts';
import { OrderStatus, orderStatuses } from './order.ts';

export const OrderChange = Type.Object({
  revision: Type.Integer({ description: 'The revision of the order after the change.' }),
  at: described(Timestamp, 'When the change was made.'),
  actor: Type.String({
    description: 'Who made the change: customer, logistics, rider, platform, or a token or user of the chain.',
  }),
  action: Type.String({ description: 'One of placed, edited, fulfilled, cancelled, picked_up, delivered, collected.' }),
  from_status: Nullable(
    OneOf(orderStatuses, { description: 'The status before the change. Null for the change that placed the order.' }),
  ),
  to_status: described(OrderStatus, 'The status after the change.'),
  items: Type.Array(
    Type.Object({
      _id: Type.String({ description: 'The id of the item.' }),
      sku: Type.String({ description: 'The SKU of the item.' }),
      name: Type.String({ description: 'The title of the item.' }),
      change: Type.String({ description: 'A description of the change.' }),
    }),
    { description: 'The items that changed; may be empty.' },
  ),
});
export const HistoryEvent = Type.Object({
  event_id: described(Id, 'The id of the event.'),
  type: Type.String({ description: 'The type of the event, e.g. `order.received`.' }),
  created_at: described(Timestamp, 'When the event happened.'),
});
