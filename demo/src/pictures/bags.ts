import { type Art, circle, ellipse, ground, paper, path, plate, rect, shade, shine, stroke } from './art.ts';

export const bags = { bag, pouch, sack, loaf, roll, lolly };

function bag(art: Art): string {
  const { pack, accent } = art;
  return (
    ground(100) +
    path(
      `M104 74${zigzag(104, 296, 74)}C284 150 306 260 296 342${zigzag(296, 104, 342)}C94 260 116 150 104 74Z`,
      pack.base,
    ) +
    path('M105 92H295L293 104H107Z', pack.dark, 'opacity=".45"') +
    path('M101 312H299L298 324H102Z', pack.dark, 'opacity=".45"') +
    path('M110 250C160 208 240 290 298 232 302 262 301 290 300 312H100C100 290 102 268 110 250Z', accent.base) +
    circle(152, 292, 11, accent.light, 'opacity=".75"') +
    circle(248, 290, 14, accent.light, 'opacity=".75"') +
    circle(200, 300, 8, accent.light, 'opacity=".75"') +
    shine('M112 104H126C132 170 118 250 118 312H102C100 240 116 170 112 104Z') +
    shade('M282 104H293C288 170 304 240 299 312H286C290 240 278 170 282 104Z') +
    plate(art, { x: 122, y: 122, w: 156, h: 122 }, 32)
  );
}

/** The zigzag edge of a sealed bag, as relative path commands. */
function zigzag(from: number, to: number, y: number): string {
  const step = (to - from) / 24;
  return Array.from(
    { length: 12 },
    (_, i) => `L${from + step * (2 * i + 1)} ${y + 6}L${from + step * (2 * i + 2)} ${y}`,
  ).join('');
}

function pouch(art: Art): string {
  const { pack, accent } = art;
  return (
    ground(98) +
    path('M112 74H288L296 326Q200 358 104 326Z', pack.base) +
    rect(112, 74, 176, 18, 2, pack.dark) +
    stroke('M116 110H284', pack.light, 2.5, 'opacity=".7"') +
    path('M108 250C160 276 240 276 293 250L296 326Q200 358 104 326Z', accent.base) +
    path('M104 326Q200 302 296 326 200 358 104 326Z', accent.dark, 'opacity=".55"') +
    shade('M270 92H288L296 326Q286 332 276 334Z') +
    shine('M113 92H128L120 332 104 326Z') +
    plate(art, { x: 124, y: 124, w: 152, h: 142 })
  );
}

function sack(art: Art): string {
  const { pack, accent } = art;
  return (
    ground(112) +
    path('M112 74Q200 64 288 74L284 108Q306 220 296 330 200 352 104 330 94 220 116 108Z', pack.base) +
    path('M112 74Q200 64 288 74L284 108Q200 98 116 108Z', accent.base) +
    stroke('M122 94Q200 84 278 94', paper, 2.5, 'stroke-dasharray="7 6"') +
    rect(176, 76, 48, 12, 6, accent.dark) +
    path(
      'M99 270C160 244 240 300 301 258 300 284 299 306 296 330 200 352 104 330 101 310 99 290 99 270Z',
      accent.base,
    ) +
    shade('M270 104 284 108Q306 220 296 330L274 336Q288 220 270 104Z') +
    shine('M116 108 130 106Q114 220 122 336L104 330Q94 220 116 108Z') +
    plate(art, { x: 120, y: 126, w: 160, h: 132 })
  );
}

function loaf(art: Art): string {
  const { pack, accent } = art;
  return (
    ground(142, 318) +
    path(
      'M300 190C322 196 336 176 356 170 350 200 354 250 360 286 338 282 322 268 300 274Z',
      accent.light,
      'opacity=".8"',
    ) +
    rect(306, 214, 12, 34, 4, pack.base) +
    path(
      'M62 200C46 146 112 124 146 142 176 122 222 122 246 142 282 124 324 150 308 200V300Q308 316 292 316H78Q62 316 62 300Z',
      '#c98f52',
    ) +
    path(
      'M76 204C66 160 118 144 148 160 178 142 218 142 244 160 276 146 306 164 296 204V296Q296 304 288 304H84Q76 304 76 296Z',
      '#e9c48c',
    ) +
    path('M62 218H308V300Q308 316 292 316H78Q62 316 62 300Z', pack.base) +
    path('M62 290C140 270 230 322 308 286V300Q308 316 292 316H78Q62 316 62 300Z', accent.base) +
    shine('M78 190C76 166 104 152 128 158 100 170 96 196 96 316H78Q70 312 70 300Z') +
    plate(art, { x: 96, y: 190, w: 178, h: 100 }, 16)
  );
}

function roll(art: Art): string {
  const { pack, accent } = art;
  const biscuit = (x: number) => ellipse(x, 222, 18, 62, '#b57b41') + ellipse(x + 3, 222, 15, 56, '#dba968');
  return (
    ground(150, 300) +
    biscuit(318) +
    biscuit(330) +
    biscuit(342) +
    [
      [338, 196],
      [346, 222],
      [338, 248],
    ]
      .map(([x, y]) => circle(x ?? 0, y ?? 0, 2.5, '#8d5b2c'))
      .join('') +
    path('M66 152H306Q326 222 306 292H66Q46 222 66 152Z', pack.base) +
    path('M66 152H92Q74 222 92 292H66Q46 222 66 152Z', accent.base) +
    path('M54 160 34 168V276L54 284Q46 222 54 160Z', accent.dark) +
    shine('M64 158H308L311 170H60Z') +
    shade('M60 274H311L306 292H66Z') +
    plate(art, { x: 106, y: 168, w: 184, h: 108 }, 14)
  );
}

function lolly(art: Art): string {
  const { pack, accent } = art;
  return (
    ground(96) +
    path('M90 104Q90 64 130 64T170 104V214Q170 226 158 226H102Q90 226 90 214Z', accent.base) +
    path('M108 100Q110 82 126 80 118 96 118 120V200H108Z', '#fff', 'opacity=".3"') +
    rect(120, 226, 20, 84, 9, '#e2c29e') +
    path('M150 104H306L298 114 306 124V318L298 328 306 338H150L158 328 150 318V124L158 114Z', pack.base) +
    path('M150 262C200 236 250 298 306 258V318L298 328 306 338H150L158 328 150 318Z', accent.base) +
    shine('M152 124H164V318H152Z') +
    plate(art, { x: 162, y: 138, w: 132, h: 118 })
  );
}
