import { type Art, card, circle, ground, path, stroke } from './art.ts';

export const seafood = { fish, shrimp, crab, squid };

function fish(art: Art): string {
  const { accent } = art;
  return (
    ground(130, 276) +
    path('M280 190 348 134Q354 190 348 246Z', accent.dark) +
    path('M154 136Q206 92 250 148Z', accent.dark) +
    path('M178 244Q206 272 232 238Z', accent.dark) +
    path('M52 196C92 128 200 116 296 188 298 190 298 194 296 196 200 264 92 256 52 196Z', accent.base) +
    path('M56 202C100 246 196 256 290 200 200 264 92 256 52 196Z', '#fff', 'opacity=".45"') +
    stroke('M126 148Q146 192 126 238', accent.dark, 4, 'opacity=".6"') +
    stroke(
      'M160 174q10 10 0 20M186 166q10 10 0 20M186 196q10 10 0 20M212 174q10 10 0 20M238 180q8 8 0 16',
      accent.light,
      4,
    ) +
    circle(92, 182, 11, '#fff') +
    circle(90, 182, 6, '#2d3239') +
    card(art)
  );
}

function shrimp(art: Art): string {
  const { accent } = art;
  return (
    ground(104, 286) +
    path(
      'M110 128C170 84 282 96 296 180 304 234 254 268 204 260L180 282 176 256 148 258 168 236C206 246 244 222 238 190 230 152 164 150 128 168 108 172 100 146 110 128Z',
      accent.base,
    ) +
    stroke(
      'M182 106 186 152M226 112 210 158M266 138 232 172M286 180 240 188M274 224 236 210M234 250 218 230',
      accent.dark,
      4,
      'opacity=".5"',
    ) +
    stroke('M112 132Q72 112 56 80M112 140Q64 134 48 118', accent.dark, 3) +
    stroke('M150 166 142 190M172 162 168 188M194 164 192 186', accent.dark, 4) +
    circle(132, 136, 6, '#2d3239') +
    card(art)
  );
}

function crab(art: Art): string {
  const { accent } = art;
  return (
    ground(124, 284) +
    stroke(
      'M116 214 76 232M114 234 82 260M128 250 104 278M284 214 324 232M286 234 318 260M272 250 296 278',
      accent.dark,
      9,
    ) +
    stroke('M122 186Q84 172 88 134M278 186Q316 172 312 134', accent.base, 15) +
    path('M88 142C56 136 56 88 92 82L90 108 114 92C124 120 112 142 88 142Z', accent.base) +
    path('M312 142C344 136 344 88 308 82L310 108 286 92C276 120 288 142 312 142Z', accent.base) +
    path('M104 208C104 164 148 146 200 146S296 164 296 208 248 270 200 270 104 252 104 208Z', accent.base) +
    path('M120 200C126 170 160 158 196 158 152 170 138 186 132 216Z', '#fff', 'opacity=".25"') +
    stroke('M180 150V130M220 150V130', accent.dark, 6) +
    circle(180, 126, 8, '#2d3239') +
    circle(220, 126, 8, '#2d3239') +
    stroke('M176 226Q200 242 224 226', accent.dark, 5) +
    card(art)
  );
}

function squid(art: Art): string {
  const { accent } = art;
  return (
    ground(96, 290) +
    stroke(
      'M172 216Q150 250 158 284M188 220Q180 256 186 288M204 220Q210 256 206 290M220 218Q236 250 228 286M234 212Q262 236 262 274M160 212Q130 232 132 268',
      accent.dark,
      9,
    ) +
    path('M200 54 268 116Q238 124 236 122H164Q162 124 132 116Z', accent.dark) +
    path('M200 60C236 96 248 150 240 206 232 226 168 226 160 206 152 150 164 96 200 60Z', accent.base) +
    path('M188 92C172 120 168 160 174 204 164 190 162 130 188 92Z', '#fff', 'opacity=".35"') +
    circle(182, 194, 9, '#fff') +
    circle(218, 194, 9, '#fff') +
    circle(182, 195, 5, '#2d3239') +
    circle(218, 195, 5, '#2d3239') +
    card(art)
  );
}
