import type { Tone } from './tones.ts';

/** The product details used in a drawing. For unpackaged goods, `brand` is the country of origin. */
export type Art = { pack: Tone; accent: Tone; brand: string; name: string; size: string };

export type Shape = (art: Art) => string;

export const paper = '#fffdf8';
export const leafGreen = '#5c9650';
export const deepGreen = '#3f7a45';
export const stem = '#7a5a3a';
const ink = '#3b352c';

type Frame = { x: number; y: number; w: number; h: number };
type Colors = { brand: string; name: string };

export function path(d: string, fill: string, attributes = ''): string {
  return `<path d="${d}" fill="${fill}"${attributes && ` ${attributes}`}/>`;
}

export function stroke(d: string, color: string, width: number, attributes = ''): string {
  return path(
    d,
    'none',
    `stroke="${color}" stroke-width="${width}" stroke-linecap="round"${attributes && ` ${attributes}`}`,
  );
}

export function rect(x: number, y: number, w: number, h: number, r: number, fill: string, attributes = ''): string {
  return `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${r}" fill="${fill}"${attributes && ` ${attributes}`}/>`;
}

export function ellipse(cx: number, cy: number, rx: number, ry: number, fill: string, attributes = ''): string {
  return `<ellipse cx="${cx}" cy="${cy}" rx="${rx}" ry="${ry}" fill="${fill}"${attributes && ` ${attributes}`}/>`;
}

export function circle(cx: number, cy: number, r: number, fill: string, attributes = ''): string {
  return `<circle cx="${cx}" cy="${cy}" r="${r}" fill="${fill}"${attributes && ` ${attributes}`}/>`;
}

/** Light comes from the left, so there is a highlight on the left and a shadow on the right. */
export function shine(d: string): string {
  return path(d, '#fff', 'opacity=".22"');
}

export function shade(d: string): string {
  return path(d, '#000', 'opacity=".08"');
}

export function ground(rx: number, cy = 344): string {
  return ellipse(200, cy, rx, 11, '#2b2418', 'opacity=".13"');
}

export function leaf(d: string): string {
  return path(d, leafGreen);
}

/** A paper label with brand, name and size. */
export function plate(art: Art, frame: Frame, radius = 10): string {
  return rect(frame.x, frame.y, frame.w, frame.h, radius, paper) + label(art, frame, dark(art));
}

/** Brand, name and size centered in the frame, as large as possible. */
export function label(art: Art, frame: Frame, colors: Colors = dark(art)): string {
  const width = frame.w - 16;
  const brandSize = fit([art.brand], width * 0.9, 28);
  const { lines, nameSize, height, scale } = layoutName(art.name, brandSize, width, frame.h - 12);
  const center = frame.x + frame.w / 2;
  let y = frame.y + (frame.h - height * scale) / 2 + brandSize * scale * 0.85;
  let drawn = text(art.brand, center, y, brandSize * scale, colors.brand, 800);
  y += brandSize * scale * 0.15 + 6 * scale;
  for (const line of lines) {
    y += nameSize * scale * 1.15;
    drawn += text(line, center, y - nameSize * scale * 0.2, nameSize * scale, colors.name, 500);
  }
  return drawn + pill(art, center, y + 10 * scale, 22 * scale);
}

/** A card with the label text, shown below goods without packaging. */
export function card(art: Art): string {
  const width = 292;
  const small = art.brand ? `${art.brand} · ${art.size}` : art.size;
  return (
    rect(54, 306, width, 66, 14, paper) +
    text(art.name, 200, 336, fit([art.name], width - 36, 23), ink, 700) +
    text(small, 200, 359, fit([small], width - 36, 16), '#7a7265', 600)
  );
}

export function pill(art: Art, cx: number, y: number, height: number): string {
  const size = height * 0.64;
  const width = art.size.length * size * 0.56 + height;
  return (
    rect(round(cx - width / 2), round(y), round(width), round(height), round(height / 2), art.accent.base) +
    text(art.size, cx, y + height * 0.73, size, art.accent.ink, 700)
  );
}

export function text(content: string, x: number, y: number, size: number, fill: string, weight: number): string {
  if (!content) return '';
  const attributes = `x="${round(x)}" y="${round(y)}" font-size="${round(size)}"`;
  return `<text ${attributes} font-weight="${weight}" fill="${fill}">${escapeXml(content)}</text>`;
}

export function escapeXml(content: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return content.replace(/[&<>"]/g, (character) => entities[character] ?? '');
}

function fit(lines: readonly string[], width: number, maxSize: number): number {
  const longest = Math.max(1, ...lines.map((line) => line.length));
  return Math.min(maxSize, width / (longest * 0.57));
}

function dark(art: Art): Colors {
  return { brand: art.pack.ink === ink ? ink : art.pack.dark, name: ink };
}

type NameLayout = { lines: string[]; nameSize: number; height: number; scale: number };

/** Breaks the name into one, two or three lines, whichever allows the largest font size. */
function layoutName(name: string, brandSize: number, width: number, maxHeight: number): NameLayout {
  const layouts = [1, 2, 3].map((count) => {
    const lines = breakEvenly(name.split(' '), count);
    const nameSize = fit(lines, width, 20);
    const height = brandSize + 6 + lines.length * nameSize * 1.15 + 32;
    return { lines, nameSize, height, scale: Math.min(1, maxHeight / height) };
  });
  return layouts.reduce((best, next) => (next.nameSize * next.scale > best.nameSize * best.scale + 1.5 ? next : best));
}

function breakEvenly(words: readonly string[], count: number): string[] {
  if (count === 1 || words.length === 1) return [words.join(' ')];
  const candidates = words
    .slice(1)
    .map((_, i) => [words.slice(0, i + 1).join(' '), ...breakEvenly(words.slice(i + 1), count - 1)]);
  const longest = (lines: readonly string[]) => Math.max(...lines.map((line) => line.length));
  return candidates.reduce((best, lines) => (longest(lines) < longest(best) ? lines : best));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
