import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../server/src/kernel/database/db.ts';

/** Bugs that are planted in the simulation's database, to prove that the checks find them. */
export const plants = ['lost-event', 'double-stock', 'wrong-order'] as const;
export type Plant = (typeof plants)[number];

/** Plants a bug that takes effect immediately. `wrong-order` needs existing events: see `swapEvents`. */
export async function plantBug(db: Database, plant: Plant): Promise<void> {
  if (plant === 'wrong-order') return;
  for (const statement of triggers[plant]) await db.query(statement);
}

/** Waits for two events about the same order and swaps their positions in the feed. */
export async function swapEvents(db: Database, isOver: () => boolean): Promise<void> {
  while (!isOver() && !(await trySwap(db).catch(() => false))) await sleep(200);
}

const triggers = {
  'lost-event': [
    `create function lose_event() returns trigger language plpgsql as $$
      begin
        if right(new.event_id::text, 1) in ('0', '1') then return null; end if;
        return new;
      end $$`,
    'create trigger lose_event before insert on events for each row execute function lose_event()',
  ],
  'double-stock': [
    `create function double_stock() returns trigger language plpgsql as $$
      begin
        if new.quantity < old.quantity and new.sku like 'PLENTY%' then
          new.quantity := greatest(0, 2 * new.quantity - old.quantity);
        end if;
        return new;
      end $$`,
    'create trigger double_stock before update on offers for each row execute function double_stock()',
  ],
};

/** Returns false if there are no such events yet. */
function trySwap(db: Database): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [pair] = await tx.query<{ chain_id: string; one: string; other: string; first: string; last: string }>(
      `select a.chain_id, a.event_id as one, b.event_id as other, a.position as first, b.position as last
       from events a join events b on b.chain_id = a.chain_id and b.order_id = a.order_id and b.position > a.position
       limit 1`,
    );
    if (!pair) return false;
    const move = (eventId: string, position: string) =>
      tx.query('update events set position = $3 where chain_id = $1 and event_id = $2', [
        pair.chain_id,
        eventId,
        position,
      ]);
    await move(pair.one, '-1');
    await move(pair.other, pair.first);
    await move(pair.one, pair.last);
    return true;
  });
}
