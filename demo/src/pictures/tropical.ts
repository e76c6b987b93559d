import { type Art, card, circle, ellipse, ground, leaf, stem, path, stroke } from './art.ts';

export const tropical = { mango, avocado, watermelon, melon, pineapple, coconut };

function mango(art: Art): string {
  const { accent } = art;
  return (
    ground(112, 286) +
    path(
      'M104 222C88 156 150 92 226 92 296 92 330 144 312 200 296 252 240 284 184 280 144 278 114 262 104 222Z',
      accent.base,
    ) +
    path(
      'M226 92C296 92 330 144 312 200 296 252 240 284 184 280 262 252 290 160 226 92Z',
      accent.dark,
      'opacity=".4"',
    ) +
    ellipse(158, 158, 34, 17, '#fff', 'opacity=".35" transform="rotate(-38 158 158)"') +
    stroke('M232 94Q238 76 250 68', stem, 7) +
    leaf('M246 80C264 52 300 54 316 70 298 94 270 98 246 80Z') +
    card(art)
  );
}

function avocado(art: Art): string {
  const { accent } = art;
  const half =
    'M0 -96C34 -96 36 -50 52 -18 70 12 76 28 70 54 60 84 30 94 0 94S-60 84-70 54C-76 28-70 12-52-18-36-50-34-96 0-96Z';
  return (
    ground(124, 290) +
    `<g transform="translate(146 192) rotate(-8)">${path(half, accent.base)}${ellipse(-30, 6, 12, 30, '#fff', 'opacity=".2" transform="rotate(14)"')}</g>` +
    `<g transform="translate(248 194) rotate(8)">${path(half, accent.dark)}<g transform="translate(0 2) scale(.9)">${path(half, '#b9cf73')}</g><g transform="translate(0 4) scale(.76)">${path(half, '#eef0b4')}</g>${circle(0, 34, 34, '#8a5a34')}${circle(-10, 24, 9, '#fff', 'opacity=".3"')}</g>` +
    card(art)
  );
}

function watermelon(art: Art): string {
  return melonAndSlice(art, '#e2574f');
}

function melon(art: Art): string {
  return melonAndSlice(art, '#f5b56a');
}

function melonAndSlice(art: Art, flesh: string): string {
  const { accent } = art;
  const seeds = [
    [186, 250],
    [222, 262],
    [258, 254],
    [206, 226],
    [240, 228],
  ] as const;
  return (
    ground(132, 292) +
    circle(170, 172, 100, accent.base) +
    stroke(
      'M170 72Q110 172 170 272M170 72Q230 172 170 272M118 88Q52 172 118 256M222 88Q288 172 222 256',
      accent.dark,
      8,
      'opacity=".55"',
    ) +
    ellipse(126, 124, 24, 13, '#fff', 'opacity=".3" transform="rotate(-38 126 124)"') +
    path('M116 216H336C334 262 284 296 226 296S118 262 116 216Z', accent.dark) +
    path('M124 216H328C324 256 280 286 226 286S128 256 124 216Z', '#f3f2d2') +
    path('M134 216H318C312 250 274 276 226 276S140 250 134 216Z', flesh) +
    seeds.map(([x, y]) => ellipse(x, y - 6, 3.5, 6, '#3a2a20')).join('') +
    card(art)
  );
}

function pineapple(art: Art): string {
  const { accent } = art;
  return (
    ground(74, 292) +
    leaf(
      'M200 132C160 120 140 92 134 58 164 66 176 84 182 96 178 68 186 48 200 30 214 48 222 68 218 96 224 84 236 66 266 58 260 92 240 120 200 132Z',
    ) +
    path(
      'M200 128C170 110 156 92 150 76 172 84 186 98 200 120 214 98 228 84 250 76 244 92 230 110 200 128Z',
      '#3f7a45',
    ) +
    ellipse(200, 206, 74, 86, accent.base) +
    path('M232 130A74 86 0 0 1 200 292 100 100 0 0 0 232 130Z', accent.dark, 'opacity=".35"') +
    stroke(
      'M146 150 258 258M134 184 230 284M176 128 272 222M254 150 142 258M266 184 170 284M224 128 128 222',
      accent.dark,
      3.5,
      'opacity=".6"',
    ) +
    card(art)
  );
}

function coconut(art: Art): string {
  const { accent } = art;
  return (
    ground(100, 292) +
    path('M96 168C96 112 144 96 200 96S304 112 304 168C304 236 262 292 200 292S96 236 96 168Z', accent.base) +
    path(
      'M252 104C288 114 304 134 304 168 304 236 262 292 210 292 268 250 282 164 252 104Z',
      accent.dark,
      'opacity=".4"',
    ) +
    ellipse(200, 118, 74, 24, '#f3efdc') +
    ellipse(200, 118, 46, 14, '#fffdf8') +
    ellipse(200, 120, 36, 9, '#d8e7ea') +
    stroke('M214 116 250 56 274 48', '#e27d9b', 7) +
    card(art)
  );
}
