import { type Art, circle, ellipse, ground, label, paper, path, plate, rect, shade, shine, stroke } from './art.ts';

export const tins = { tin, jar, shaker, tub, cup };

function tin(art: Art): string {
  const { pack, accent } = art;
  return (
    ground(108, 336) +
    path('M100 124V316C100 346 300 346 300 316V124Z', '#c3c9cf') +
    path('M100 146C120 168 280 168 300 146V302C280 326 120 326 100 302Z', pack.base) +
    path('M100 284C120 306 280 306 300 284V302C280 326 120 326 100 302Z', accent.base) +
    ellipse(200, 124, 100, 24, '#dfe3e7') +
    ellipse(200, 124, 86, 18, '#c9ced4') +
    ellipse(200, 126, 70, 13, '#d9dde2') +
    rect(192, 116, 16, 8, 4, '#aab1b9') +
    shine('M108 138 124 144V320L108 312Z') +
    shade('M284 142 300 132V316Q296 324 284 328Z') +
    plate(art, { x: 128, y: 172, w: 144, h: 110 })
  );
}

function jar(art: Art): string {
  const { pack, accent } = art;
  return (
    ground(90) +
    path(
      'M134 118H266C290 128 292 148 292 170V308Q292 342 258 342H142Q108 342 108 308V170C108 148 110 128 134 118Z',
      '#fff',
      'opacity=".85"',
    ) +
    path('M116 156H284Q286 162 286 172V306Q286 336 256 336H144Q114 336 114 306V172Q114 162 116 156Z', accent.base) +
    rect(128, 78, 144, 40, 8, pack.base) +
    stroke(
      'M142 86V110M158 86V110M174 86V110M190 86V110M206 86V110M222 86V110M238 86V110M254 86V110',
      pack.dark,
      2,
      'opacity=".4"',
    ) +
    path('M108 192H292V306H108Z', paper) +
    rect(108, 192, 184, 6, 0, pack.base) +
    rect(108, 300, 184, 6, 0, pack.base) +
    shine('M120 150Q122 140 136 132V336Q120 334 120 312Z') +
    shade('M276 130Q292 142 292 170V308Q292 330 276 338Z') +
    label(art, { x: 112, y: 198, w: 176, h: 102 })
  );
}

function shaker(art: Art): string {
  const { pack, accent } = art;
  return (
    ground(76) +
    rect(142, 74, 116, 52, 10, pack.base) +
    rect(142, 112, 116, 14, 4, pack.dark) +
    [176, 200, 224].map((x) => circle(x, 92, 4.5, pack.dark)).join('') +
    rect(138, 126, 124, 216, 16, '#fff', 'opacity=".8"') +
    path('M144 162Q200 150 256 162V324Q256 336 244 336H156Q144 336 144 324Z', accent.base) +
    circle(168, 178, 3, accent.dark) +
    circle(214, 172, 3, accent.light) +
    circle(238, 184, 3, accent.dark) +
    circle(190, 186, 2.5, accent.light) +
    shine('M148 132H160V338Q148 338 148 324Z') +
    shade('M248 128Q262 130 262 142V326Q262 340 248 342Z') +
    plate(art, { x: 138, y: 200, w: 124, h: 114 }, 0)
  );
}

function tub(art: Art): string {
  const { pack, accent } = art;
  return (
    ground(98) +
    path('M98 156H302L280 322Q277 342 258 342H142Q123 342 120 322Z', pack.base) +
    path('M111 254C160 230 240 286 289 254L280 322Q277 342 258 342H142Q123 342 120 322Z', accent.base) +
    rect(88, 124, 224, 36, 10, accent.base) +
    rect(88, 148, 224, 12, 5, accent.dark, 'opacity=".55"') +
    rect(96, 128, 208, 6, 3, '#fff', 'opacity=".35"') +
    shade('M282 160H302L280 322Q277 342 258 342 272 300 282 160Z') +
    shine('M98 160H116L138 342Q123 340 120 322Z') +
    plate(art, { x: 126, y: 178, w: 148, h: 126 }, 18)
  );
}

function cup(art: Art): string {
  const { pack, accent } = art;
  return (
    ground(72) +
    path('M114 146H286L262 326Q259 342 244 342H156Q141 342 138 326Z', paper) +
    path('M120 190C170 166 230 214 280 188L262 326Q259 342 244 342H156Q141 342 138 326Z', pack.base) +
    path('M131 278C170 256 230 304 269 276L262 326Q259 342 244 342H156Q141 342 138 326Z', accent.base) +
    ellipse(200, 144, 94, 18, '#d7dbdf') +
    ellipse(200, 139, 94, 18, accent.light) +
    path('M284 132Q316 128 312 146 296 156 280 150Z', accent.light) +
    ellipse(190, 137, 66, 10, '#fff', 'opacity=".35"') +
    shade('M268 160 286 150 262 326Q259 342 244 342 262 280 268 160Z') +
    shine('M116 158 132 162 156 342Q141 340 138 326Z') +
    plate(art, { x: 142, y: 192, w: 116, h: 104 }, 18)
  );
}
