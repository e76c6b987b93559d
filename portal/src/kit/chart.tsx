import { Group, Text, Tooltip } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { labelInterval, ticksUpTo } from './chart-scale.ts';
import classes from './chart.module.css';
import { formatList, formatNumber } from './format.ts';

/** `color` is a color of the theme, such as `red-5`. */
export type Series = { label: string; color: string };
/** The values of a point are in the order of the series. A line skips null. */
export type Point = { label: string; values: (number | null)[] };

type ChartProps = {
  label: string;
  points: Point[];
  series: Series[];
  height: number;
  kind?: 'bars' | 'lines';
  /** The marks of the axis; by default, they fit the values. */
  ticks?: number[];
  format?(value: number): string;
  hasAxis?: boolean;
};

/**
 * A chart of a few series over time, as stacked bars or as lines, in the direction of the language. It is drawn here,
 * because a library for charts would be a quarter of the portal's code (see docs/decisions/0161).
 */
export function Chart(props: ChartProps) {
  const { label, points, series, height, kind = 'bars', format = formatNumber, hasAxis = true } = props;
  const { ref, width } = useElementSize();
  const totals = points.map(({ values }) => values.reduce<number>((sum, value) => sum + (value ?? 0), 0));
  const ticks = props.ticks ?? ticksUpTo(Math.max(0, ...totals));
  const top = ticks.at(-1) ?? 1;
  const interval = labelInterval(
    points.map((point) => point.label),
    width,
  );
  const describe = ({ values }: Point) =>
    series.flatMap((one, index) => {
      const value = values[index];
      return value === null || value === undefined ? [] : [`${one.label}: ${format(value)}`];
    });
  const isEmpty = (point: Point) => point.values.every((value) => !value);
  const described = points.filter((point) => !isEmpty(point)).map((point) => [point.label, ...describe(point)]);
  return (
    <div>
      <div role="img" aria-label={[label, ...described.map(formatList)].join('; ')}>
        <div className={classes['plot']}>
          {hasAxis && (
            <div className={classes['axis']} style={{ height }}>
              {ticks.map((tick) => (
                <span key={tick}>{format(tick)}</span>
              ))}
            </div>
          )}
          <div className={classes['area']} ref={ref}>
            <div style={{ position: 'relative', height }}>
              {hasAxis && (
                <div className={classes['grid']}>
                  {ticks.map((tick) => (
                    <span key={tick} />
                  ))}
                </div>
              )}
              {kind === 'lines' && <Lines points={points} series={series} top={top} />}
              <div className={classes['columns']}>
                {points.map((point) => (
                  <Tooltip
                    key={point.label}
                    label={<Description point={point} lines={describe(point)} />}
                    // Beside the column, because the card hides what is above or below it.
                    position="right"
                    withinPortal={false}
                    events={{ hover: true, focus: false, touch: true }}
                  >
                    <div className={classes['column']}>
                      <Marks point={point} series={series} top={top} kind={kind} />
                    </div>
                  </Tooltip>
                ))}
              </div>
            </div>
            <div className={classes['labels']}>
              {points.map((point, index) => (
                <span key={point.label}>{index % interval === 0 && point.label}</span>
              ))}
            </div>
          </div>
        </div>
      </div>
      {series.length > 1 && <Legend series={series} />}
    </div>
  );
}

type MarksProps = { point: Point; series: Series[]; top: number; kind: 'bars' | 'lines' };

function Marks({ point, series, top, kind }: MarksProps) {
  return series.map(({ label, color }, index) => {
    const value = point.values[index];
    if (value === null || value === undefined) return null;
    const size = `${(100 * value) / top}%`;
    const background = colorOf(color);
    return kind === 'bars' ? (
      <div key={label} className={classes['bar']} style={{ height: size, background }} />
    ) : (
      <div key={label} className={classes['dot']} style={{ bottom: size, background }} />
    );
  });
}

/** The lines between the dots. A unit of the drawing is a column wide, and a hundredth of its height high. */
function Lines({ points, series, top }: Pick<ChartProps, 'points' | 'series'> & { top: number }) {
  return (
    <svg
      className={`${classes['lines']} mirrored`}
      viewBox={`0 0 ${points.length} 100`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {series.map(({ label, color }, index) => (
        <polyline
          key={label}
          style={{ stroke: colorOf(color) }}
          points={points
            .flatMap(({ values }, at) => {
              const value = values[index] ?? null;
              return value === null ? [] : [`${at + 0.5},${100 - (100 * value) / top}`];
            })
            .join(' ')}
        />
      ))}
    </svg>
  );
}

function Description({ point, lines }: { point: Point; lines: string[] }) {
  return (
    <>
      <Text size="sm" fw={600}>
        {point.label}
      </Text>
      {lines.map((line) => (
        <Text key={line} size="sm">
          {line}
        </Text>
      ))}
    </>
  );
}

function Legend({ series }: { series: Series[] }) {
  return (
    <Group gap="2px 16px" mt="xs" justify="center">
      {series.map(({ label, color }) => (
        <Group key={label} gap={6} wrap="nowrap">
          <span className={classes['swatch']} style={{ background: colorOf(color) }} />
          <Text size="sm">{label}</Text>
        </Group>
      ))}
    </Group>
  );
}

function colorOf(color: string): string {
  return `var(--mantine-color-${color})`;
}
