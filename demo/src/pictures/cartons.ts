import { type Art, circle, ellipse, ground, paper, path, plate, rect, shine, stroke } from './art.ts';

export const cartons = { carton, box, block, eggs, tissues, pizza, toothbrush };

function carton(art: Art): string {
  const { pack, accent } = art;
  return (
    ground(98) +
    path('M118 150H238V342H118Z', pack.base) +
    path('M238 150 284 138V328L238 342Z', pack.dark) +
    path('M118 150H238L250 104H130Z', pack.light) +
    path('M238 150 284 138 250 104Z', pack.dark, 'opacity=".75"') +
    rect(130, 80, 120, 25, 3, pack.base) +
    path('M118 298C156 282 198 318 238 296V342H118Z', accent.base) +
    path('M238 296 284 282V328L238 342Z', accent.dark) +
    ellipse(186, 130, 20, 11, accent.dark) +
    ellipse(186, 124, 20, 11, accent.base) +
    shine('M118 150H130V342H118Z') +
    plate(art, { x: 126, y: 164, w: 104, h: 122 })
  );
}

function box(art: Art): string {
  const { pack, accent } = art;
  return (
    ground(112) +
    path('M104 94H262V342H104Z', pack.base) +
    path('M262 94 298 80V326L262 342Z', pack.dark) +
    path('M104 94 142 80H298L262 94Z', pack.light) +
    path('M104 286Q183 244 262 286V342H104Z', accent.base) +
    path('M262 286 298 272V326L262 342Z', accent.dark) +
    circle(183, 312, 9, accent.light) +
    circle(158, 320, 6, accent.light, 'opacity=".7"') +
    circle(208, 320, 6, accent.light, 'opacity=".7"') +
    shine('M104 94H116V342H104Z') +
    plate(art, { x: 116, y: 112, w: 134, h: 140 })
  );
}

function block(art: Art): string {
  const { pack, accent } = art;
  return (
    ground(140, 320) +
    path('M66 176 106 146H334L300 176Z', accent.light) +
    path('M300 176 334 146V282L300 318Z', pack.dark) +
    rect(66, 176, 234, 142, 4, pack.base) +
    path('M66 176H108V318H66Z', accent.base) +
    path('M66 176 106 146H148L108 176Z', accent.base, 'opacity=".7"') +
    shine('M66 176H300V186H66Z') +
    plate(art, { x: 122, y: 192, w: 164, h: 112 })
  );
}

function eggs(art: Art): string {
  const { pack, accent } = art;
  const shells = [104, 152, 200, 248, 296];
  return (
    ground(140, 322) +
    shells
      .map(
        (x) =>
          ellipse(x, 160, 27, 40, accent.base) +
          ellipse(x + 9, 164, 16, 36, accent.dark, 'opacity=".18"') +
          ellipse(x - 9, 142, 6, 10, '#fff', 'opacity=".7"'),
      )
      .join('') +
    path(
      'M62 184Q80 164 104 182 128 164 152 182 176 164 200 182 224 164 248 182 272 164 296 182 320 164 338 184L322 306Q320 320 306 320H94Q80 320 78 306Z',
      pack.base,
    ) +
    path('M322 306Q320 320 306 320H94Q80 320 78 306L76 292H324Z', pack.dark) +
    shine('M62 184Q72 172 82 174L98 320H94Q80 320 78 306Z') +
    plate(art, { x: 112, y: 196, w: 176, h: 94 })
  );
}

function tissues(art: Art): string {
  const { pack, accent } = art;
  return (
    ground(140, 330) +
    path('M150 172C140 120 168 128 176 84 200 100 232 84 252 104 240 132 262 140 252 172Z', '#fff') +
    path('M186 172C190 140 204 128 200 100 214 126 222 140 222 172Z', accent.pale) +
    path('M72 196 104 164H328L300 196Z', pack.light) +
    ellipse(200, 177, 66, 9, pack.dark, 'opacity=".5"') +
    path('M150 176C146 160 150 150 152 140H250C252 156 250 166 252 176Z', '#fff') +
    path('M300 196 328 164V296L300 328Z', pack.dark) +
    rect(72, 196, 228, 132, 4, pack.base) +
    path('M72 300C130 276 214 322 300 292V328H72Z', accent.base) +
    plate(art, { x: 104, y: 206, w: 164, h: 88 })
  );
}

function pizza(art: Art): string {
  const { pack, accent } = art;
  const toppings = [
    [150, 246],
    [196, 226],
    [236, 258],
    [172, 290],
    [222, 296],
    [196, 262],
  ] as const;
  return (
    ground(124) +
    rect(82, 84, 236, 258, 8, pack.base) +
    rect(82, 84, 236, 12, 6, pack.light, 'opacity=".6"') +
    circle(200, 262, 72, '#c98a4b') +
    circle(200, 262, 62, '#f3cf7a') +
    toppings.map(([x, y], i) => circle(x, y, i % 2 ? 10 : 13, i % 2 ? accent.light : accent.base)).join('') +
    stroke('M200 190V334M128 262H272', '#c98a4b', 2, 'opacity=".35"') +
    plate(art, { x: 98, y: 98, w: 204, h: 88 })
  );
}

function toothbrush(art: Art): string {
  const { pack, accent } = art;
  const brush = (x: number, color: string) =>
    rect(x - 5, 156, 10, 172, 5, color) +
    rect(x - 8, 104, 16, 62, 6, color) +
    rect(x - 6, 108, 12, 44, 3, paper) +
    stroke(`M${x - 2} 112V148M${x + 2} 112V148`, color, 1.5, 'opacity=".6"');
  return (
    ground(96) +
    rect(104, 66, 192, 276, 14, pack.base) +
    ellipse(200, 82, 18, 6, pack.dark) +
    rect(122, 96, 156, 238, 12, '#fff', 'opacity=".3"') +
    brush(148, accent.base) +
    brush(200, accent.dark) +
    brush(252, accent.base) +
    plate(art, { x: 112, y: 196, w: 176, h: 104 })
  );
}
