import { type Art, circle, path, plate, rect, shine } from './art.ts';

export const bars = { bar, whiteBar, wafer, cerealBar };

function bar(art: Art): string {
  return unwrapped(art, rect(236, 142, 116, 136, 6, '#6b4230') + squares('#8a5b45'));
}

function whiteBar(art: Art): string {
  return unwrapped(art, rect(236, 142, 116, 136, 6, '#e6d3a8') + squares('#fbf2dc'));
}

function wafer(art: Art): string {
  const layers = [142, 170, 198, 226, 254].map((y) => rect(236, y, 112, 18, 3, '#e0b271')).join('');
  return unwrapped(art, rect(238, 146, 108, 122, 4, art.accent.dark) + layers);
}

function cerealBar(art: Art): string {
  const bits = [
    [262, 164],
    [292, 156],
    [322, 172],
    [334, 206],
    [300, 196],
    [270, 214],
    [312, 232],
    [286, 256],
    [332, 258],
  ];
  const drawn = bits
    .map(([x = 0, y = 0], i) => circle(x, y, i % 2 ? 11 : 8, i % 3 ? '#e9cb95' : art.accent.base))
    .join('');
  return unwrapped(art, rect(236, 142, 116, 136, 16, '#b98347') + drawn);
}

function squares(color: string): string {
  return [240, 278, 316].map((x) => [146, 190, 234].map((y) => rect(x, y, 34, 40, 4, color)).join('')).join('');
}

/** A wrapper torn open on the right, with the contents visible. */
function unwrapped(art: Art, inside: string): string {
  const { pack, accent } = art;
  return (
    '<g transform="rotate(-10 200 210)">' +
    rect(62, 280, 276, 14, 7, '#2b2418', 'opacity=".13"') +
    inside +
    path(
      'M44 134H280L268 146 282 158 268 170 282 182 268 194 282 206 268 218 282 230 268 242 282 254 268 268 280 286H44Z',
      '#dfe3e7',
    ) +
    path('M44 132H258V288H44Z', pack.base) +
    path('M44 132H74V288H44Z', accent.base) +
    shine('M44 132H258V144H44Z') +
    plate(art, { x: 86, y: 154, w: 160, h: 118 }) +
    '</g>'
  );
}
