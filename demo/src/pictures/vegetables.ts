import { type Art, card, circle, ellipse, ground, leafGreen, deepGreen, path, rect, stroke } from './art.ts';

export const vegetables = { tomato, cucumber, pepper, chilli, aubergine, pumpkin, corn, beans };

function tomato(art: Art): string {
  const { accent } = art;
  return (
    ground(104, 288) +
    path('M92 190C92 130 142 108 200 114 258 108 308 130 308 190 308 254 258 288 200 288S92 254 92 190Z', accent.base) +
    path(
      'M258 118C292 128 308 152 308 190 308 254 258 288 206 288 270 256 286 176 258 118Z',
      accent.dark,
      'opacity=".4"',
    ) +
    ellipse(142, 166, 16, 28, '#fff', 'opacity=".35" transform="rotate(28 142 166)"') +
    path(
      'M200 124C176 112 158 126 146 142 168 140 178 138 184 134 180 150 184 162 190 170 196 158 200 148 202 138 212 150 226 158 244 158 238 144 228 132 218 130 236 126 250 118 256 106 236 104 218 108 208 118Z',
      deepGreen,
    ) +
    stroke('M202 124Q202 102 212 90', deepGreen, 8) +
    card(art)
  );
}

function cucumber(art: Art): string {
  const { accent } = art;
  return (
    ground(134, 284) +
    '<g transform="rotate(-18 200 180)">' +
    rect(58, 132, 270, 68, 34, accent.base) +
    path('M70 184Q200 206 318 184 306 200 292 200H92Q78 198 70 184Z', accent.dark, 'opacity=".45"') +
    stroke('M92 150H290M108 166H276', accent.light, 4, 'opacity=".6" stroke-dasharray="22 16"') +
    '</g>' +
    [
      [150, 250],
      [214, 258],
      [276, 246],
    ]
      .map(
        ([x = 0, y = 0]) =>
          circle(x, y, 34, accent.dark) +
          circle(x, y, 29, '#e4efc3') +
          circle(x, y, 17, '#cfe2a0') +
          [0, 72, 144, 216, 288]
            .map((turn) => ellipse(x, y - 10, 2.5, 5, '#fdfbe8', `transform="rotate(${turn} ${x} ${y})"`))
            .join(''),
      )
      .join('') +
    card(art)
  );
}

function pepper(art: Art): string {
  const { accent } = art;
  return (
    ground(90, 290) +
    path(
      'M200 124C166 98 106 116 104 178 104 232 132 292 160 290 176 290 184 282 200 286 216 282 224 290 240 290 268 292 296 232 296 178 294 116 234 98 200 124Z',
      accent.base,
    ) +
    path(
      'M250 114C282 120 296 146 296 178 296 232 268 292 240 290 276 240 280 164 250 114Z',
      accent.dark,
      'opacity=".4"',
    ) +
    stroke('M172 124Q152 200 172 280M228 124Q248 200 228 280', accent.dark, 4, 'opacity=".45"') +
    ellipse(134, 178, 12, 34, '#fff', 'opacity=".35" transform="rotate(10 134 178)"') +
    path('M162 126Q200 92 238 126 218 140 200 130 182 140 162 126Z', deepGreen) +
    stroke('M200 116Q198 88 218 70', deepGreen, 13) +
    card(art)
  );
}

function chilli(art: Art): string {
  const { accent } = art;
  const one = (x: number, y: number, turn: number) =>
    `<g transform="translate(${x} ${y}) rotate(${turn})">` +
    path('M-26-72C-34-20-20 40 34 92 40 96 44 90 40 84 12 40 20-20 22-72Z', accent.base) +
    path('M4-72C2-10 8 50 38 90 42 90 42 88 40 84 12 40 20-20 22-72Z', accent.dark, 'opacity=".4"') +
    stroke('M-14-50Q-16-10-4 26', '#fff', 6, 'opacity=".35"') +
    path('M-30-68Q-26-92-2-92T26-68Q-2-58-30-68Z', deepGreen) +
    stroke('M-2-90Q-2-112 12-124', deepGreen, 9) +
    '</g>';
  return ground(104, 290) + one(266, 186, 18) + one(134, 190, -14) + one(198, 186, 2) + card(art);
}

function aubergine(art: Art): string {
  const { accent } = art;
  return (
    ground(112, 288) +
    '<g transform="rotate(32 200 186)">' +
    path('M200 96C232 96 240 140 256 184 274 236 250 296 200 296S126 236 144 184C160 140 168 96 200 96Z', accent.base) +
    path(
      'M214 98C234 108 242 146 256 184 274 236 250 296 206 296 250 256 240 160 214 98Z',
      accent.dark,
      'opacity=".45"',
    ) +
    ellipse(166, 222, 12, 40, '#fff', 'opacity=".3" transform="rotate(8 166 222)"') +
    path('M164 124Q170 84 200 82T236 124Q222 112 212 132 200 112 188 132 178 112 164 124Z', leafGreen) +
    stroke('M200 86Q200 62 214 50', deepGreen, 12) +
    '</g>' +
    card(art)
  );
}

function pumpkin(art: Art): string {
  const { accent } = art;
  return (
    ground(118, 290) +
    ellipse(128, 204, 56, 78, accent.dark) +
    ellipse(272, 204, 56, 78, accent.dark) +
    ellipse(154, 204, 56, 84, accent.base) +
    ellipse(246, 204, 56, 84, accent.base) +
    ellipse(200, 204, 50, 88, accent.light) +
    ellipse(200, 204, 50, 88, accent.base, 'opacity=".55"') +
    ellipse(138, 176, 9, 30, '#fff', 'opacity=".3" transform="rotate(12 138 176)"') +
    stroke('M200 122Q194 96 214 78', '#6b7d3a', 14) +
    card(art)
  );
}

function corn(art: Art): string {
  const { accent } = art;
  const rows = Array.from({ length: 9 }, (_, i) => 84 + i * 20);
  return (
    ground(80, 292) +
    path(
      'M200 58C236 66 246 130 242 200 240 250 224 286 200 290 176 286 160 250 158 200 154 130 164 66 200 58Z',
      accent.dark,
    ) +
    rows.map((y) => [172, 191, 210, 229].map((x) => rect(x - 9, y, 16, 17, 6, accent.base)).join('')).join('') +
    path('M150 150C126 200 142 276 200 294 188 250 182 200 150 150Z', leafGreen) +
    path('M250 150C274 200 258 276 200 294 212 250 218 200 250 150Z', deepGreen) +
    card(art)
  );
}

function beans(art: Art): string {
  const { accent } = art;
  const pod = (y: number, turn: number) =>
    `<g transform="rotate(${turn} 200 ${y})">` +
    path(`M72 ${y}C120 ${y - 34} 280 ${y - 34} 330 ${y}C280 ${y + 26} 120 ${y + 26} 72 ${y}Z`, accent.base) +
    path(
      `M72 ${y}C120 ${y + 26} 280 ${y + 26} 330 ${y}C280 ${y + 8} 120 ${y + 8} 72 ${y}Z`,
      accent.dark,
      'opacity=".45"',
    ) +
    [128, 168, 208, 248, 286].map((x) => ellipse(x, y - 5, 12, 8, accent.light, 'opacity=".6"')).join('') +
    stroke(`M330 ${y}q14 -4 20 -16`, accent.dark, 5) +
    '</g>';
  return ground(132, 284) + pod(130, -14) + pod(172, 6) + pod(212, -8) + pod(250, 4) + card(art);
}
