import { type Art, card, circle, ground, path, rect, stroke } from './art.ts';

export const greens = { lettuce, broccoli, herbs, asparagus };

function lettuce(art: Art): string {
  const { accent } = art;
  return (
    ground(112, 290) +
    path(
      'M200 292C130 300 74 256 86 204 70 180 88 146 116 146 116 112 156 92 184 108 208 84 254 92 262 122 300 118 324 154 312 186 334 236 276 298 200 292Z',
      accent.dark,
    ) +
    path(
      'M200 284C140 288 100 252 110 210 98 188 114 164 138 166 142 134 176 124 198 138 222 122 254 134 258 162 286 164 300 190 288 212 298 252 256 286 200 284Z',
      accent.base,
    ) +
    path(
      'M200 278C160 278 136 250 146 222 140 202 158 188 174 194 184 168 218 168 228 192 248 188 262 206 254 226 260 254 236 278 200 278Z',
      accent.light,
    ) +
    stroke(
      'M200 276V196M200 246 168 216M200 250 234 216M140 250Q118 226 122 198M260 250Q284 226 278 196',
      accent.dark,
      4,
      'opacity=".45"',
    ) +
    card(art)
  );
}

function broccoli(art: Art): string {
  const { accent } = art;
  const florets = [
    [132, 168, 44],
    [268, 168, 44],
    [166, 126, 46],
    [234, 126, 46],
    [200, 168, 52],
    [200, 108, 38],
  ] as const;
  return (
    ground(84, 292) +
    path('M164 190H236C232 224 240 262 246 284Q200 300 154 284C160 262 168 224 164 190Z', '#c5d8a0') +
    path(
      'M140 196Q176 206 180 238L160 236Q154 212 132 206ZM260 196Q224 206 220 238L240 236Q246 212 268 206Z',
      '#b3c98a',
    ) +
    florets.map(([x, y, r]) => circle(x, y, r, accent.base)).join('') +
    florets
      .map(
        ([x, y, r], i) =>
          circle(x - r * 0.3, y - r * 0.3, r * 0.36, accent.light, 'opacity=".5"') +
          circle(x + r * 0.35, y + r * 0.25, r * (i % 2 ? 0.22 : 0.3), accent.dark, 'opacity=".28"'),
      )
      .join('') +
    card(art)
  );
}

function herbs(art: Art): string {
  const { accent, pack } = art;
  const turns = [-26, -14, 14, 26, 0];
  const sprig = (turn: number, i: number) =>
    `<g transform="rotate(${turn} 200 262)">` +
    stroke('M200 280V110', accent.dark, 5) +
    [108, 136, 164, 192]
      .map((y) =>
        path(
          `M200 ${y}c-30 4-38-14-36-30c20-4 34 8 36 30c2-22 16-34 36-30c2 16-6 34-36 30Z`,
          i % 2 ? accent.base : accent.light,
        ),
      )
      .join('') +
    path('M200 112c-16-10-16-32 0-46c16 14 16 36 0 46Z', accent.base) +
    '</g>';
  return ground(70, 296) + turns.map(sprig).join('') + rect(176, 246, 48, 18, 8, pack.base) + card(art);
}

function asparagus(art: Art): string {
  const { accent } = art;
  const spear = (x: number, y: number) =>
    rect(x - 11, y + 30, 22, 258 - y, 5, accent.base) +
    path(
      `M${x} ${y - 20}C${x + 20} ${y} ${x + 18} ${y + 40} ${x + 11} ${y + 62}H${x - 11}C${x - 18} ${y + 40} ${x - 20} ${y} ${x} ${y - 20}Z`,
      accent.dark,
    ) +
    [y + 84, y + 116].map((top) => path(`M${x - 8} ${top}l8-14 8 14-8 8Z`, accent.light, 'opacity=".8"')).join('');
  return (
    ground(92, 292) +
    [132, 268, 166, 234, 200].map((x, i) => spear(x, [104, 108, 86, 90, 76][i] ?? 90)).join('') +
    rect(114, 206, 172, 24, 6, art.pack.base) +
    rect(114, 206, 172, 6, 3, art.pack.light) +
    card(art)
  );
}
