import { type Art, card, circle, ellipse, ground, path, plate, rect, stroke } from './art.ts';

export const counter = { wedge, tray, steak, poultry, salami, nuts, dates };

function wedge(art: Art): string {
  const { accent } = art;
  return (
    ground(132, 290) +
    path('M70 196 262 104Q318 124 330 172L70 212Z', accent.light) +
    path('M70 204 330 168V256Q330 268 318 270L82 290Q70 290 70 280Z', accent.base) +
    path('M262 104Q318 124 330 172L322 173Q308 132 258 112Z', accent.dark, 'opacity=".6"') +
    ellipse(130, 246, 17, 15, accent.dark, 'opacity=".45"') +
    ellipse(196, 222, 12, 11, accent.dark, 'opacity=".45"') +
    ellipse(252, 246, 20, 17, accent.dark, 'opacity=".45"') +
    ellipse(298, 202, 11, 10, accent.dark, 'opacity=".45"') +
    ellipse(180, 264, 8, 7, accent.dark, 'opacity=".45"') +
    ellipse(222, 150, 15, 7, accent.dark, 'opacity=".3"') +
    ellipse(160, 178, 10, 5, accent.dark, 'opacity=".3"') +
    card(art)
  );
}

function tray(art: Art): string {
  const { accent } = art;
  const cut = (x: number, y: number) =>
    path(`M${x} ${y}c20-26 74-24 86 4 8 24-12 44-42 44s-60-20-44-48Z`, accent.base) +
    stroke(`M${x + 18} ${y + 10}q16-14 32-4M${x + 30} ${y + 30}q18 6 34-8`, accent.light, 4, 'opacity=".8"');
  return (
    ground(140, 330) +
    rect(58, 88, 284, 242, 26, '#2f343b') +
    rect(70, 98, 260, 222, 18, '#434a53') +
    cut(84, 132) +
    cut(156, 116) +
    cut(230, 134) +
    cut(112, 170) +
    cut(198, 172) +
    rect(58, 88, 284, 242, 26, '#fff', 'opacity=".08"') +
    path('M78 98H168L112 320H88Q70 320 70 302V106Z', '#fff', 'opacity=".1"') +
    plate(art, { x: 92, y: 210, w: 216, h: 104 }, 12)
  );
}

function steak(art: Art): string {
  const { accent } = art;
  return (
    ground(124, 286) +
    path(
      'M84 192C76 130 146 88 216 96 288 104 340 150 328 206 318 252 262 254 226 262 190 272 150 286 116 264 94 248 88 222 84 192Z',
      '#f7e6d8',
    ) +
    path(
      'M100 192C94 142 152 104 214 111 278 118 322 156 313 202 304 238 256 240 222 248 188 256 150 270 124 252 108 240 103 218 100 192Z',
      accent.base,
    ) +
    stroke(
      'M136 166Q168 132 212 148M146 214Q190 176 236 196M228 142Q264 152 280 180M180 236Q204 218 232 224',
      accent.light,
      5,
      'opacity=".75"',
    ) +
    circle(278, 198, 17, '#f7e6d8') +
    circle(278, 198, 9, accent.dark, 'opacity=".5"') +
    stroke('M92 262Q76 250 70 232M92 262Q98 244 92 228M92 262Q112 256 118 240', '#5aa05d', 5) +
    card(art)
  );
}

function poultry(art: Art): string {
  return (
    ground(132, 288) +
    ellipse(200, 268, 138, 20, '#fffdf8') +
    ellipse(200, 264, 120, 14, '#e9e6de') +
    path(
      'M96 218C92 150 150 104 214 108 276 112 312 156 306 206 302 244 270 262 204 264 138 266 100 254 96 218Z',
      '#e5b184',
    ) +
    path('M116 206C116 158 158 124 206 124 162 146 144 176 146 226 130 224 118 218 116 206Z', '#fff', 'opacity=".3"') +
    path(
      'M226 204C236 164 286 158 306 186 318 206 332 206 344 202 352 212 346 220 338 220 342 228 334 236 326 230 306 236 292 246 266 248 238 248 222 230 226 204Z',
      '#d99c68',
    ) +
    path('M128 190C150 184 178 200 182 224 164 232 136 230 122 216Z', '#d99c68') +
    stroke('M84 262Q66 246 62 226M84 262Q92 240 84 222M84 262Q106 252 112 234', '#5aa05d', 5) +
    path('M236 124Q272 134 284 162 262 146 232 142Z', art.accent.light, 'opacity=".5"') +
    card(art)
  );
}

function salami(art: Art): string {
  const { accent } = art;
  const slice = (x: number, y: number) =>
    circle(x, y, 66, accent.dark) +
    circle(x, y, 60, accent.base) +
    [
      [-24, -18],
      [10, -32],
      [28, 4],
      [-4, 6],
      [-30, 22],
      [14, 32],
    ]
      .map(([dx = 0, dy = 0], i) => circle(x + dx, y + dy, i % 2 ? 6 : 8, '#fbe9df', 'opacity=".85"'))
      .join('');
  return ground(130, 284) + slice(132, 200) + slice(268, 206) + slice(200, 176) + card(art);
}

function nuts(art: Art): string {
  const { accent } = art;
  const spots = [
    [120, 184],
    [156, 168],
    [196, 158],
    [236, 164],
    [274, 182],
    [136, 200],
    [176, 190],
    [216, 188],
    [254, 200],
    [196, 206],
    [160, 214],
    [232, 214],
  ] as const;
  return (
    ground(112, 292) +
    spots
      .map(
        ([x, y], i) =>
          `<g transform="rotate(${(i * 47) % 180} ${x} ${y})">${ellipse(x, y, 24, 15, i % 3 ? accent.base : accent.dark)}${stroke(`M${x - 14} ${y}h28`, i % 3 ? accent.dark : accent.light, 2.5, 'opacity=".5"')}</g>`,
      )
      .join('') +
    path('M84 204H316C314 258 270 292 200 292S86 258 84 204Z', '#fffdf8') +
    path('M290 204H316C314 258 270 292 214 292 262 280 286 250 290 204Z', '#000', 'opacity=".07"') +
    rect(80, 198, 240, 14, 7, '#efeae0') +
    card(art)
  );
}

function dates(art: Art): string {
  const { accent } = art;
  const spots = [
    [128, 228, -18],
    [196, 238, 8],
    [266, 226, 20],
    [160, 188, 12],
    [232, 186, -14],
    [196, 146, 4],
  ] as const;
  return (
    ground(126, 284) +
    ellipse(200, 268, 140, 18, '#fffdf8') +
    spots
      .map(
        ([x, y, turn]) =>
          `<g transform="rotate(${turn} ${x} ${y})">${ellipse(x, y, 40, 25, accent.base)}${ellipse(x - 10, y - 9, 16, 6, '#fff', 'opacity=".3"')}${stroke(`M${x - 22} ${y + 8}q22 10 44-2`, accent.dark, 3, 'opacity=".6"')}${circle(x + 38, y, 5, accent.dark)}</g>`,
      )
      .join('') +
    card(art)
  );
}
