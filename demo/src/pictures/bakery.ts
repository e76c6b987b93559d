import { type Art, card, circle, ellipse, ground, path, stroke } from './art.ts';

export const baked = { flatbread, bun, croissant, cake, muffin };

function flatbread(art: Art): string {
  const round = (y: number) => ellipse(200, y + 7, 128, 44, '#b98347') + ellipse(200, y, 128, 44, '#ecc88f');
  return (
    ground(132, 292) +
    round(240) +
    round(218) +
    round(196) +
    round(174) +
    ellipse(200, 172, 112, 35, '#f6dfb4') +
    [
      [150, 160, 14],
      [226, 154, 10],
      [186, 184, 12],
      [256, 180, 15],
      [126, 180, 8],
      [204, 166, 7],
    ]
      .map(([x = 0, y = 0, r = 0]) => ellipse(x, y, r, r * 0.45, '#d3a05f', 'opacity=".7"'))
      .join('') +
    stroke('M72 200Q200 262 328 200', art.pack.base, 16) +
    stroke('M72 200Q200 262 328 200', art.accent.light, 4) +
    card(art)
  );
}

function bun(art: Art): string {
  const seeds = [
    [150, 138],
    [182, 118],
    [216, 122],
    [246, 140],
    [172, 152],
    [208, 150],
    [234, 164],
  ] as const;
  return (
    ground(124, 288) +
    path('M84 236H316V256Q316 282 282 282H118Q84 282 84 256Z', '#c98b48') +
    path('M80 222C100 206 300 206 320 222 322 236 312 242 300 240H100C88 242 78 236 80 222Z', '#f8e6c3') +
    path('M78 216C78 130 140 92 200 92S322 130 322 216C300 232 100 232 78 216Z', '#d99c55') +
    path('M98 190C106 140 152 112 192 108 148 128 124 158 120 200Z', '#fff', 'opacity=".25"') +
    seeds.map(([x, y], i) => ellipse(x, y, 7, 4, '#fbefd2', `transform="rotate(${i * 37 - 60} ${x} ${y})"`)).join('') +
    card(art)
  );
}

function croissant(art: Art): string {
  return (
    ground(132, 284) +
    path(
      'M56 248C44 190 92 128 160 112 186 104 214 104 240 112 308 128 356 190 344 248 340 268 316 272 306 254 290 226 262 212 236 212H164C138 212 110 226 94 254 84 272 60 268 56 248Z',
      '#d69445',
    ) +
    path('M160 112C186 104 214 104 240 112L252 212H148Z', '#e8b069') +
    path('M108 138C124 124 142 117 160 112L148 212C136 213 124 218 114 226Z', '#dca055') +
    path('M292 138C276 124 258 117 240 112L252 212C264 213 276 218 286 226Z', '#dca055') +
    stroke(
      'M160 114 148 210M240 114 252 210M108 140 116 224M292 140 284 224M72 184 92 250M328 184 308 250',
      '#a96a26',
      3,
      'opacity=".5"',
    ) +
    path('M170 124Q200 116 230 124L232 136Q200 128 168 136Z', '#fff', 'opacity=".35"') +
    stroke(
      'M92 200 118 150 132 196 158 132 172 184 200 124 228 184 242 132 268 196 282 150 308 200',
      art.accent.dark,
      5,
      'stroke-linejoin="round" opacity=".8"',
    ) +
    card(art)
  );
}

function cake(art: Art): string {
  const { accent, pack } = art;
  return (
    ground(122, 290) +
    path('M88 176 240 116 322 160V268Q322 276 314 278L104 284Q88 284 88 270Z', accent.base) +
    path('M88 176 322 160V192L88 212Z', accent.light) +
    path('M88 232 322 212V226L88 248Z', '#fff', 'opacity=".55"') +
    path('M88 176 240 116 322 160Z', accent.dark) +
    path(
      'M88 176 240 116 322 160 318 172Q300 188 286 168 268 192 246 172 228 200 204 176 184 204 160 180 140 206 118 182 100 198 88 190Z',
      '#fffaf0',
    ) +
    circle(224, 134, 15, pack.base) +
    circle(219, 129, 4, '#fff', 'opacity=".6"') +
    stroke('M226 120Q230 102 244 98', '#5d7d3a', 4) +
    card(art)
  );
}

function muffin(art: Art): string {
  const { accent, pack } = art;
  const bits = [
    [158, 138],
    [196, 112],
    [238, 130],
    [176, 168],
    [220, 164],
    [264, 166],
    [136, 172],
  ];
  return (
    ground(92, 290) +
    path('M118 190H282L260 280Q258 290 248 290H152Q142 290 140 280Z', pack.base) +
    stroke('M150 200 162 284M182 200 186 286M218 200 214 286M250 200 238 284', pack.dark, 4, 'opacity=".5"') +
    path(
      'M104 196C88 160 122 136 138 136 146 100 180 82 212 90 246 92 262 116 264 134 292 140 312 166 296 196 270 214 130 214 104 196Z',
      '#d69e5c',
    ) +
    path('M124 182C118 162 136 150 150 148 156 120 178 104 200 102 170 120 160 150 160 196Z', '#fff', 'opacity=".2"') +
    bits.map(([x = 0, y = 0], i) => circle(x, y, i % 2 ? 9 : 7, accent.base)).join('') +
    card(art)
  );
}
