import { type Art, circle, ellipse, ground, label, paper, path, plate, rect, shade, shine, stroke } from './art.ts';

export const bottles = { jug, bottle, water, oil, can, aerosol };

function jug(art: Art): string {
  const { pack, accent } = art;
  return (
    ground(92) +
    rect(160, 66, 64, 32, 7, accent.base) +
    stroke('M174 72V92M186 72V92M198 72V92M210 72V92', accent.dark, 2, 'opacity=".5"') +
    path(
      'M164 100H220C222 132 274 136 280 184V318Q280 342 256 342H132Q108 342 108 318V194C112 142 162 134 164 100Z',
      '#eff2f3',
    ) +
    path(
      'M250 160C270 172 266 196 266 206 264 218 250 214 248 204 246 190 238 180 236 170 234 158 242 154 250 160Z',
      '#d3dadd',
    ) +
    path('M164 100H220L222 112H162Z', '#dce2e4') +
    shade('M254 342Q280 342 280 318V184C278 172 274 164 266 156 264 220 268 300 254 342Z') +
    path('M108 216Q194 226 280 216V318Q194 330 108 318Z', pack.base) +
    path('M108 304Q194 316 280 304V318Q194 330 108 318Z', accent.base) +
    shine('M108 216 122 218V320L108 318Z') +
    label(art, { x: 112, y: 218, w: 164, h: 92 }, { brand: pack.ink, name: pack.ink })
  );
}

function bottle(art: Art): string {
  const { pack, accent } = art;
  return (
    ground(74) +
    rect(174, 60, 52, 28, 6, pack.base) +
    rect(178, 86, 44, 10, 3, pack.dark) +
    path(
      'M178 96H222V114C222 142 264 150 264 192V320Q264 342 242 342H158Q136 342 136 320V192C136 150 178 142 178 114Z',
      accent.base,
    ) +
    path('M178 96H222V112H178Z', accent.light) +
    shade('M242 342Q264 342 264 320V192C264 170 252 160 242 150 252 200 252 300 242 342Z') +
    path('M136 196H264V312H136Z', paper) +
    rect(136, 196, 128, 7, 0, pack.base) +
    rect(136, 305, 128, 7, 0, pack.base) +
    shine('M150 168Q154 160 164 154V342H158Q146 340 146 326Z') +
    label(art, { x: 136, y: 203, w: 128, h: 102 })
  );
}

function water(art: Art): string {
  const { pack, accent } = art;
  return (
    ground(70) +
    rect(178, 56, 44, 24, 5, accent.dark) +
    path(
      'M180 80H220V98C220 126 258 132 258 172V190L252 200 258 212V320Q258 342 236 342H164Q142 342 142 320V212L148 200 142 190V172C142 132 180 126 180 98Z',
      accent.light,
    ) +
    path(
      'M146 150Q200 164 254 150 258 160 258 172V190L252 200 258 212V320Q258 342 236 342H164Q142 342 142 320V212L148 200 142 190V172Q142 160 146 150Z',
      accent.base,
      'opacity=".45"',
    ) +
    rect(142, 206, 116, 96, 0, pack.base) +
    stroke('M150 316H250M152 328H248', '#fff', 3, 'opacity=".5"') +
    shine('M154 150Q156 142 166 136V342H164Q152 340 152 324Z') +
    label(art, { x: 142, y: 206, w: 116, h: 96 }, { brand: pack.ink, name: pack.ink })
  );
}

function oil(art: Art): string {
  const { pack, accent } = art;
  return (
    ground(72) +
    rect(180, 48, 40, 32, 5, pack.dark) +
    path(
      'M184 80H216V124C216 150 256 156 256 196V322Q256 342 236 342H164Q144 342 144 322V196C144 156 184 150 184 124Z',
      accent.light,
    ) +
    path(
      'M184 112H216V124C216 150 256 156 256 196V322Q256 342 236 342H164Q144 342 144 322V196C144 156 184 150 184 124Z',
      accent.base,
    ) +
    shade('M236 342Q256 342 256 322V196C256 176 246 168 236 160 246 210 246 300 236 342Z') +
    rect(144, 200, 112, 118, 0, paper) +
    path('M144 200H256V208H144Z', pack.base) +
    shine('M154 184Q158 172 168 166V342H164Q152 340 152 326Z') +
    label(art, { x: 144, y: 210, w: 112, h: 106 })
  );
}

function can(art: Art): string {
  const { pack, accent } = art;
  return (
    ground(76) +
    path('M150 88H250L264 110V320L252 342H148L136 320V110Z', pack.base) +
    path('M136 262C176 236 224 292 264 252V320L252 342H148L136 320Z', accent.base) +
    path('M136 254C176 228 224 284 264 244V256C224 296 176 240 136 266Z', paper, 'opacity=".85"') +
    ellipse(200, 88, 51, 11, '#c9ced4') +
    ellipse(200, 86, 44, 8, '#e6e9ec') +
    ellipse(204, 86, 15, 3.5, '#aab1b9') +
    path('M148 342 144 335H256L252 342Z', '#c9ced4') +
    circle(168, 306, 5, '#fff', 'opacity=".5"') +
    circle(184, 322, 3.5, '#fff', 'opacity=".5"') +
    circle(236, 296, 4, '#fff', 'opacity=".5"') +
    shine('M146 98 158 96V342H148L142 330V106Z') +
    shade('M254 94 264 110V320L252 342H244Z') +
    label(art, { x: 140, y: 112, w: 120, h: 126 }, { brand: pack.ink, name: pack.ink })
  );
}

function aerosol(art: Art): string {
  const { pack, accent } = art;
  return (
    ground(66) +
    rect(172, 56, 56, 56, 14, accent.base) +
    rect(186, 68, 28, 12, 6, accent.dark) +
    path('M164 112H236Q252 118 252 136H148Q148 118 164 112Z', '#c9ced4') +
    rect(146, 136, 108, 206, 8, pack.base) +
    path('M146 288C180 268 220 312 254 282V334Q254 342 246 342H154Q146 342 146 334Z', accent.base) +
    shine('M152 136H162V342H154Q150 342 150 334Z') +
    shade('M242 136H254V334Q254 342 246 342H242Z') +
    plate(art, { x: 152, y: 158, w: 96, h: 112 })
  );
}
