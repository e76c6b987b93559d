import { type Art, circle, ellipse, ground, path, plate, rect, shade, shine, stroke } from './art.ts';

export const home = { spray, canister, shampoo, pump, squeeze, tube, rolls, pack };

function spray(art: Art): string {
  const { pack: body, accent } = art;
  return (
    ground(76) +
    path('M176 62H246Q262 62 264 78L268 92H236L232 104H184Q170 104 168 90Z', accent.base) +
    path('M236 92C240 112 258 116 254 138 242 136 230 124 226 104Z', accent.dark) +
    rect(262, 72, 14, 16, 3, accent.dark) +
    rect(184, 104, 42, 22, 4, accent.dark) +
    path(
      'M180 126H230C232 156 262 164 264 206V318Q264 342 240 342H164Q140 342 140 318V206C142 164 178 156 180 126Z',
      body.base,
    ) +
    shade('M240 342Q264 342 264 318V206C262 186 254 174 246 166 252 220 252 300 240 342Z') +
    shine('M150 200Q152 182 164 172V342Q150 340 148 322Z') +
    plate(art, { x: 148, y: 204, w: 108, h: 118 })
  );
}

function canister(art: Art): string {
  const { pack: body, accent } = art;
  return (
    ground(104) +
    rect(126, 62, 66, 50, 10, accent.base) +
    stroke('M142 70V104M154 70V104M166 70V104M178 70V104', accent.dark, 2, 'opacity=".45"') +
    path(
      'M136 112H186C210 112 254 110 280 140 298 162 298 190 298 214V316Q298 342 272 342H126Q100 342 100 316V176Q104 132 136 112Z',
      body.base,
    ) +
    path(
      'M232 140C262 144 270 172 268 206 252 204 250 180 240 168 230 158 218 162 214 150 214 140 222 138 232 140Z',
      accent.pale,
    ) +
    shade('M272 342Q298 342 298 316V214C298 196 298 180 290 162 282 220 292 300 272 342Z') +
    path('M100 300C160 276 230 326 298 292V316Q298 342 272 342H126Q100 342 100 316Z', accent.base) +
    shine('M110 176Q112 146 132 130 122 180 122 342 100 340 100 316Z') +
    plate(art, { x: 118, y: 214, w: 156, h: 94 })
  );
}

function shampoo(art: Art): string {
  const { pack: body, accent } = art;
  return (
    ground(74) +
    path('M166 66H234Q240 66 240 72V106H160V72Q160 66 166 66Z', accent.base) +
    rect(160, 88, 80, 4, 0, accent.dark) +
    path(
      'M162 106H238C262 122 266 160 266 220 266 280 262 342 242 342H158C138 342 134 280 134 220 134 160 138 122 162 106Z',
      body.base,
    ) +
    shade('M242 342C262 342 266 280 266 220 266 160 262 122 238 106 252 150 258 290 242 342Z') +
    shine('M146 220C146 160 150 126 166 110 158 170 158 290 168 342H158C148 334 146 280 146 220Z') +
    plate(art, { x: 146, y: 150, w: 108, h: 136 }, 24)
  );
}

function pump(art: Art): string {
  const { pack: body, accent } = art;
  return (
    ground(80) +
    path('M156 60H220Q230 60 230 70V80H196V104H184V80H170Q162 84 158 94L146 90Q148 68 156 60Z', accent.dark) +
    rect(166, 104, 48, 28, 6, accent.base) +
    rect(132, 132, 136, 210, 26, body.base) +
    shade('M242 132Q268 132 268 158V316Q268 342 242 342 256 300 256 170 242 132 242 132Z') +
    shine('M144 158Q144 138 162 134V340Q144 336 144 316Z') +
    plate(art, { x: 144, y: 178, w: 112, h: 124 }, 16)
  );
}

function squeeze(art: Art): string {
  const { pack: body, accent } = art;
  return (
    ground(72) +
    path('M192 54H208L214 88H186Z', body.dark) +
    path('M170 88H230Q238 90 240 112H160Q162 90 170 88Z', body.base) +
    path(
      'M162 112H238C258 140 266 176 262 216 258 256 264 290 258 322Q254 342 234 342H166Q146 342 142 322C136 290 142 256 138 216 134 176 142 140 162 112Z',
      accent.base,
    ) +
    shade('M234 342Q254 342 258 322C264 290 258 256 262 216 266 176 258 140 238 112 250 190 250 300 234 342Z') +
    shine('M150 216C148 176 154 146 168 124 162 190 162 290 172 342H166Q154 338 152 322 148 280 150 216Z') +
    plate(art, { x: 146, y: 172, w: 108, h: 124 }, 30)
  );
}

function tube(art: Art): string {
  const { pack: body, accent } = art;
  return (
    ground(54) +
    rect(130, 50, 140, 18, 3, body.dark) +
    stroke('M146 54V64M164 54V64M182 54V64M200 54V64M218 54V64M236 54V64M254 54V64', body.light, 2, 'opacity=".6"') +
    path('M132 68H268L250 296H150Z', body.base) +
    path('M148 268Q200 240 252 268L250 296H150Z', accent.base) +
    shade('M250 68H268L250 296H238Z') +
    path('M158 296H242L234 312H166Z', body.dark) +
    rect(160, 312, 80, 32, 6, accent.base) +
    stroke('M176 318V338M192 318V338M208 318V338M224 318V338', accent.dark, 2, 'opacity=".5"') +
    shine('M138 68H150L164 296H154Z') +
    plate(art, { x: 149, y: 92, w: 102, h: 140 })
  );
}

function rolls(art: Art): string {
  const { pack: body, accent } = art;
  const roll = (x: number) =>
    path(`M${x} 116H${x + 72}V330H${x}Z`, '#f3f1ea') +
    ellipse(x + 36, 330, 36, 10, '#dedad0') +
    ellipse(x + 36, 116, 36, 13, '#e6e3da') +
    ellipse(x + 36, 116, 12, 5, accent.light);
  return (
    ground(132) +
    roll(90) +
    roll(164) +
    roll(238) +
    path('M84 176H316V292H84Z', body.base, 'opacity=".96"') +
    path('M84 272C160 252 240 300 316 268V292H84Z', accent.base) +
    path('M82 104Q200 86 318 104L322 336Q200 352 78 336Z', '#fff', 'opacity=".14"') +
    shine('M84 110H100V336L80 334Z') +
    plate(art, { x: 116, y: 184, w: 168, h: 84 })
  );
}

function pack(art: Art): string {
  const { pack: body, accent } = art;
  return (
    ground(126) +
    stroke('M160 108C160 66 240 66 240 108', body.dark, 12) +
    path(
      'M96 108Q200 92 304 108 318 112 318 130L322 318Q322 338 302 340 200 348 98 340 78 338 78 318L82 130Q82 112 96 108Z',
      body.base,
    ) +
    path('M80 262C150 230 250 300 320 250L322 318Q322 338 302 340 200 348 98 340 78 338 78 318Z', accent.base) +
    circle(284, 306, 15, accent.light, 'opacity=".8"') +
    circle(258, 320, 8, accent.light, 'opacity=".6"') +
    shade('M304 108Q318 112 318 130L322 318Q322 338 302 340 308 240 304 108Z') +
    shine('M96 108Q108 106 110 106L104 340H98Q78 338 78 318L82 130Q82 112 96 108Z') +
    plate(art, { x: 114, y: 132, w: 172, h: 124 }, 16)
  );
}
