import { type Art, card, ellipse, ground, leafGreen, path, stroke } from './art.ts';

export const roots = { carrot, potato, onion, mushroom };

function carrot(art: Art): string {
  const { accent } = art;
  const one = (turn: number, x: number) =>
    `<g transform="rotate(${turn} 200 190) translate(${x} 0)">` +
    path('M196 118C184 96 168 84 160 60 182 64 192 78 200 96 202 76 208 60 222 46 230 68 222 92 208 118Z', leafGreen) +
    path('M166 130C172 104 228 104 234 130 238 176 216 250 200 288 184 250 162 176 166 130Z', accent.base) +
    path('M214 112Q230 116 234 130C238 176 216 250 200 288 212 220 226 160 214 112Z', accent.dark, 'opacity=".4"') +
    stroke('M168 150H188M212 176H230M176 204H194M202 232H214', accent.dark, 3.5, 'opacity=".6"') +
    '</g>';
  return ground(104, 290) + one(24, 42) + one(-24, -42) + one(0, 0) + card(art);
}

function potato(art: Art): string {
  const { accent } = art;
  const one = (x: number, y: number, turn: number) =>
    `<g transform="translate(${x} ${y}) rotate(${turn})">` +
    path('M-88 6C-94-40-44-62 8-58 60-56 94-26 86 14 78 54 30 62-18 58-58 56-84 40-88 6Z', accent.base) +
    path('M40-52C74-42 92-20 86 14 78 54 30 62-10 58 48 46 68-4 40-52Z', accent.dark, 'opacity=".35"') +
    [
      [-46, -12],
      [-8, -30],
      [20, 14],
      [-30, 26],
      [50, -10],
    ]
      .map(([px = 0, py = 0]) => ellipse(px, py, 5, 3, accent.dark, 'opacity=".6"'))
      .join('') +
    ellipse(-36, -34, 22, 8, '#fff', 'opacity=".3" transform="rotate(-16 -36 -34)"') +
    '</g>';
  return ground(132, 286) + one(244, 166, 16) + one(154, 214, -10) + card(art);
}

function onion(art: Art): string {
  const { accent } = art;
  return (
    ground(96, 290) +
    stroke('M194 112Q182 84 190 58M204 112Q210 84 202 54M212 114Q228 92 230 68', leafGreen, 9) +
    path(
      'M200 100C214 128 304 138 304 210 304 262 250 290 200 290S96 262 96 210C96 138 186 128 200 100Z',
      accent.base,
    ) +
    path(
      'M236 134C282 150 304 172 304 210 304 262 250 290 206 290 268 256 278 186 236 134Z',
      accent.dark,
      'opacity=".35"',
    ) +
    stroke(
      'M192 132Q136 200 178 286M206 132Q236 210 212 288M180 138Q104 196 140 274',
      accent.dark,
      3.5,
      'opacity=".4"',
    ) +
    ellipse(138, 190, 12, 28, '#fff', 'opacity=".4" transform="rotate(24 138 190)"') +
    stroke('M186 290 180 300M200 290V302M214 290 220 300', accent.dark, 3) +
    card(art)
  );
}

function mushroom(art: Art): string {
  const { accent } = art;
  const one = (x: number, y: number, size: number) =>
    `<g transform="translate(${x} ${y}) scale(${size})">` +
    path('M-28 0H28C24 30 30 58 36 74Q0 90-36 74C-30 58-24 30-28 0Z', '#f6efdf') +
    path('M10 0H28C24 30 30 58 36 74Q20 82 6 82 18 40 10 0Z', '#000', 'opacity=".07"') +
    path('M-84 6C-88-54-40-84 0-84S88-54 84 6Q0 34-84 6Z', accent.base) +
    path('M-84 6Q0 34 84 6 80 18 60 22 0 34-60 22-80 18-84 6Z', accent.dark, 'opacity=".5"') +
    ellipse(-34, -42, 22, 12, '#fff', 'opacity=".35" transform="rotate(-30 -34 -42)"') +
    '</g>';
  return ground(124, 288) + one(262, 214, 0.85) + one(156, 204, 1.02) + card(art);
}
