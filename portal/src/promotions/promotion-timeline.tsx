import { Card, Group, Text, Title, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { formatDate, humanize } from '../kit/format.ts';
import { useMessages } from '../messages/use-messages.ts';
import { useStore } from '../api/store.tsx';
import { barOf, nameOf, type Promotion, shownState } from './labels.ts';
import classes from './promotions.module.css';

const dayMs = 86_400_000;
/** In percent. If a bar is narrower than this, its name is shown next to it. */
const nameWidth = 16;

/** Shows the promotions on this page as bars on a time axis, with today marked. */
export function PromotionTimeline({ promotions }: { promotions: Promotion[] }) {
  const t = useMessages();
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
        <Title order={2}>{t('promotions.timeline')}</Title>
        <Text size="sm" c="dimmed">
          {formatDate(new Date(from).toISOString())} – {formatDate(new Date(to).toISOString())}
        </Text>
      </Group>
      <div className={classes['rows']}>
        <div className={classes['today']} style={{ insetInlineStart: `${barOf(now, now, from, to).offset}%` }}>
          <span>{t('promotions.today')}</span>
        </div>
        {promotions.map((promotion) => {
          const { start_time, end_time } = promotion.conditions;
          const { offset, width } = barOf(Date.parse(start_time), Date.parse(end_time), from, to);
          const name = nameOf(promotion, store.locale);
          const state = humanize(shownState(promotion.state)).toLowerCase();
          return (
            <div key={promotion.promotion_id} className={classes['row']}>
              <Tooltip
                label={t('promotions.barTimes', {
                  name,
                  state,
                  from: formatDate(start_time),
                  to: formatDate(end_time),
                })}
              >
                <Link
                  to="/promotions/$promotionId"
                  params={{ promotionId: promotion.promotion_id }}
                  className={classes['bar']}
                  data-state={promotion.state}
                  style={{ insetInlineStart: `${offset}%`, width: `${width}%` }}
                  aria-label={t('promotions.bar', { name, state })}
                >
                  {width > nameWidth && (
                    <span className={classes['name']} dir="auto">
                      {name}
                    </span>
                  )}
                </Link>
              </Tooltip>
              {width <= nameWidth && (
                <span
                  className={classes['beside']}
                  style={
                    offset + width < 80
                      ? { insetInlineStart: `${offset + width}%` }
                      : { insetInlineEnd: `${100 - offset}%` }
                  }
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
