import type { OrderStatus } from '@aisle/contract/order';
import { Card, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { formatNumber, formatPercent } from '../kit/format.ts';
import { TextLink } from '../kit/link.tsx';
import { useMessages } from '../messages/use-messages.ts';
import type { Statistics } from '../statistics/use-statistics.ts';

/** Today's orders by status, and the picking rates for the last 14 days. */
export function TodayTiles({ statistics }: { statistics: Statistics | undefined }) {
  const t = useMessages();
  const today = statistics?.orders.days.at(-1)?.by_status;
  const { fulfilment_rate = null, replacement_rate = null } = statistics?.orders ?? {};
  const rate = (value: number | null) => (value === null ? '–' : formatPercent(value, 1));
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }}>
      <Tile name={t('home.tile.toPick')} value={today && formatNumber(today.RECEIVED)} status="RECEIVED" />
      <Tile
        name={t('home.tile.ready')}
        value={today && formatNumber(today.READY_FOR_PICKUP)}
        status="READY_FOR_PICKUP"
      />
      <Tile name={t('home.tile.onTheWay')} value={today && formatNumber(today.DISPATCHED)} status="DISPATCHED" />
      <Tile
        name={t('home.tile.delivered')}
        value={today && formatNumber(today.DELIVERED + today.PICKED_UP)}
        status="DELIVERED"
      />
      <Tile name={t('home.tile.asOrdered')} value={statistics && rate(fulfilment_rate)} />
      <Tile name={t('home.tile.replaced')} value={statistics && rate(replacement_rate)} />
    </SimpleGrid>
  );
}

type TileProps = {
  name: string;
  value: string | undefined;
  status?: OrderStatus;
};

function Tile({ name, value, status }: TileProps) {
  return (
    <Card>
      {status ? (
        <TextLink to="/orders" search={{ status }} size="sm" c="dimmed" className="stretched">
          {name}
        </TextLink>
      ) : (
        <Text size="sm" c="dimmed">
          {name}
        </Text>
      )}
      {value === undefined ? (
        <Skeleton height={26} width={60} mt={6} />
      ) : (
        <Text fz={26} fw={600} lh={1.3}>
          {value}
        </Text>
      )}
    </Card>
  );
}
