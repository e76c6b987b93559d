import { Card, Group, Text, Title, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { formatDate, humanize } from '../kit/format.ts';
import { useStore } from '../api/store.tsx';
import { barOf, nameOf, type Promotion, shownState } from './labels.ts';
import classes from './promotions.module.css';

const dayMs = 86_400_000;
/** In percent. If a bar is narrower than this, its name is shown next to it. */
const nameWidth = 16;

/** Shows the promotions on this page as bars on a time axis, with today marked. */
export function PromotionTimeline({ promotions }: { promotions: Promotion[] }) {
  const { store } = useStore();
  const now = Date.now();
  const times = promotions.flatMap(({ conditions }) => [
    Date.parse(conditions.start_time),
    Date.parse(conditions.end_time),
  ]);
  const from = Math.max(Math.min(...times, now - 7 * dayMs), now - 60 * dayMs);
  const to = Math.min(Math.max(...times, now + 7 * dayMs), now + 90 * dayMs);
  return (
    <Card>
      <Group justify="space-between" mb="sm">
        <Title order={2}>Timeline</Title>
        <Text size="sm" c="dimmed">
          {formatDate(new Date(from).toISOString())} – {formatDate(new Date(to).toISOString())}
        </Text>
      </Group>
      <div className={classes['rows']}>
        <div className={classes['today']} style={{ left: `${barOf(now, now, from, to).left}%` }}>
          <span>Today</span>
        </div>
        {promotions.map((promotion) => {
          const { start_time, end_time } = promotion.conditions;
          const { left, width } = barOf(Date.parse(start_time), Date.parse(end_time), from, to);
          const name = nameOf(promotion, store.locale);
          return (
            <div key={promotion.promotion_id} className={classes['row']}>
              <Tooltip
                label={`${name}: ${humanize(shownState(promotion.state)).toLowerCase()}, ${formatDate(start_time)} – ${formatDate(end_time)}`}
              >
                <Link
                  to="/promotions/$promotionId"
                  params={{ promotionId: promotion.promotion_id }}
                  className={classes['bar']}
                  data-state={promotion.state}
                  style={{ left: `${left}%`, width: `${width}%` }}
                  aria-label={`${name}, ${humanize(shownState(promotion.state)).toLowerCase()}`}
                >
                  {width > nameWidth && name}
                </Link>
              </Tooltip>
              {width <= nameWidth && (
                <span
                  className={classes['beside']}
                  style={left + width < 80 ? { left: `${left + width}%` } : { right: `${100 - left}%` }}
                  aria-hidden
                >
                  {name}
                </span>
              )}
            </div>
          );
        })}
      </div>
    </Card>
  );
}
