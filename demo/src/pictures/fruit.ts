import { type Art, card, circle, ellipse, ground, leaf, stem, path, stroke } from './art.ts';

export const fruit = { banana, apple, pear, citrus, kiwi, grapes, berries, strawberry };

function banana(art: Art): string {
  const { accent } = art;
  return (
    ground(116, 286) +
    path('M116 86C92 176 132 262 236 276 250 278 256 264 244 256 186 232 154 176 150 92Z', accent.dark) +
    path('M128 84C112 168 166 252 276 258 292 258 296 244 282 238 216 218 176 168 164 88Z', accent.base) +
    path('M140 82C140 150 206 224 310 222 326 220 328 206 312 202 242 190 196 150 176 84Z', accent.base) +
    path('M152 84C162 146 220 200 312 204 242 190 196 150 176 84Z', '#fff', 'opacity=".4"') +
    path('M128 90C124 170 182 240 280 240 206 220 166 170 152 88Z', '#fff', 'opacity=".25"') +
    path('M112 92 120 66Q140 54 166 64L178 90Q146 78 112 92Z', stem) +
    path('M302 204 320 200Q332 210 322 220L306 222Z', stem) +
    path('M270 240 288 238Q298 250 286 258L270 257Z', stem) +
    card(art)
  );
}

function apple(art: Art): string {
  const { accent } = art;
  return (
    ground(88, 288) +
    path(
      'M200 130C168 98 100 112 98 182 96 244 148 292 178 286 194 282 206 282 222 286 252 292 304 244 302 182 300 112 232 98 200 130Z',
      accent.base,
    ) +
    path(
      'M256 120C286 126 301 150 302 182 304 244 252 292 222 286 274 262 290 180 256 120Z',
      accent.dark,
      'opacity=".4"',
    ) +
    ellipse(142, 164, 15, 28, '#fff', 'opacity=".35" transform="rotate(20 142 164)"') +
    path('M176 128Q200 146 224 128 212 122 200 134 188 122 176 128Z', accent.dark) +
    stroke('M200 134Q198 104 208 84', stem, 7) +
    leaf('M208 104C222 70 262 66 280 80 266 108 236 116 208 104Z') +
    card(art)
  );
}

function pear(art: Art): string {
  const { accent } = art;
  return (
    ground(80, 290) +
    path(
      'M200 82C234 82 232 130 248 162 270 196 288 214 282 244 274 280 236 290 200 290S126 280 118 244C112 214 130 196 152 162 168 130 166 82 200 82Z',
      accent.base,
    ) +
    path(
      'M216 88C234 98 234 136 248 162 270 196 288 214 282 244 274 280 236 290 212 290 262 262 254 200 232 166 220 140 226 112 216 88Z',
      accent.dark,
      'opacity=".35"',
    ) +
    ellipse(156, 222, 15, 30, '#fff', 'opacity=".35" transform="rotate(14 156 222)"') +
    stroke('M200 86Q200 66 212 54', stem, 7) +
    leaf('M210 72C226 50 256 50 270 64 256 84 232 86 210 72Z') +
    card(art)
  );
}

function citrus(art: Art): string {
  const { accent } = art;
  const rays = [0, 45, 90, 135, 180, 225, 270, 315];
  return (
    ground(126, 288) +
    circle(150, 178, 86, accent.base) +
    path('M202 110A86 86 0 0 1 150 264 110 110 0 0 0 202 110Z', accent.dark, 'opacity=".3"') +
    ellipse(116, 138, 22, 13, '#fff', 'opacity=".4" transform="rotate(-38 116 138)"') +
    stroke('M150 96V88', stem, 7) +
    leaf('M150 92C164 62 204 60 220 74 206 100 176 106 150 92Z') +
    circle(262, 216, 72, accent.dark) +
    circle(262, 216, 68, accent.base) +
    circle(262, 216, 60, '#fff8ea') +
    rays
      .map((turn) =>
        path('M262 210 247 167Q262 158 277 167Z', accent.base, `opacity=".85" transform="rotate(${turn} 262 216)"`),
      )
      .join('') +
    card(art)
  );
}

function kiwi(art: Art): string {
  const seeds = Array.from({ length: 12 }, (_, i) => i * 30);
  return (
    ground(126, 286) +
    ellipse(146, 190, 84, 72, art.accent.base) +
    ellipse(118, 160, 26, 14, '#fff', 'opacity=".18" transform="rotate(-30 118 160)"') +
    circle(256, 206, 76, art.accent.base) +
    circle(256, 206, 68, '#9fbf4a') +
    circle(256, 206, 48, '#b9d263') +
    circle(256, 206, 20, '#f4f3d4') +
    seeds.map((turn) => ellipse(256, 172, 3, 6, '#3a3325', `transform="rotate(${turn} 256 206)"`)).join('') +
    card(art)
  );
}

function grapes(art: Art): string {
  const rows = [
    [132, 5],
    [166, 4],
    [200, 3],
    [232, 2],
    [262, 1],
  ] as const;
  const berry = (x: number, y: number) =>
    circle(x, y, 24, art.accent.base) + circle(x - 7, y - 8, 6, '#fff', 'opacity=".45"');
  return (
    ground(84, 290) +
    stroke('M200 116Q198 84 214 66', stem, 8) +
    leaf('M196 108C150 116 122 98 116 66 150 58 160 74 168 60 190 66 204 84 196 108Z') +
    rows
      .map(([y, count]) => Array.from({ length: count }, (_, i) => berry(200 + (i - (count - 1) / 2) * 42, y)).join(''))
      .join('') +
    card(art)
  );
}

function berries(art: Art): string {
  const { accent } = art;
  const spots = [
    [130, 232],
    [196, 244],
    [264, 230],
    [162, 182],
    [230, 184],
    [198, 134],
  ] as const;
  return (
    ground(120, 284) +
    spots
      .map(
        ([x, y]) =>
          circle(x, y, 38, accent.base) +
          path(`M${x + 14} ${y - 35}a38 38 0 0 1-4 70a46 46 0 0 0 4-70Z`, accent.dark, 'opacity=".4"') +
          circle(x - 12, y - 12, 9, '#fff', 'opacity=".35"') +
          path(`M${x - 8} ${y - 26}l8 6 8-6-3 10 7 5-12 3-12-3 7-5Z`, accent.dark),
      )
      .join('') +
    leaf('M214 100C226 70 262 66 280 80 268 106 240 116 214 100Z') +
    card(art)
  );
}

function strawberry(art: Art): string {
  const { accent } = art;
  const one = (x: number, y: number, turn: number, size: number) =>
    `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${size})">` +
    path('M0 -64C44 -78 82 -44 72 4 62 46 28 78 0 88-28 78-62 46-72 4-82-44-44-78 0-64Z', accent.base) +
    path('M34 -70C72-62 80-30 72 4 62 46 28 78 0 88 44 40 54-20 34-70Z', accent.dark, 'opacity=".35"') +
    [
      [-36, -22],
      [0, -26],
      [36, -22],
      [-20, 8],
      [20, 8],
      [0, 40],
      [-42, 14],
      [42, 14],
    ]
      .map(([sx = 0, sy = 0]) => ellipse(sx, sy, 3.5, 6, '#ffe7b0'))
      .join('') +
    leaf('M0 -60-44-54-30-72-58-88-22-88 0-112 22-88 58-88 30-72 44-54Z') +
    '</g>';
  return ground(120, 286) + one(258, 186, 14, 0.85) + one(160, 190, -8, 1.05) + card(art);
}
