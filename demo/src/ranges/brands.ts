import type { ToneName } from '../pictures/tones.ts';

/** `level` is the brand's price level relative to a regular brand. */
export type Brand = { en: string; ar: string; tone: ToneName; level: number };

/** All names are fictional. */
export const brands = {
  saltbush: { en: 'Saltbush', ar: 'سولتبوش', tone: 'forest', level: 0.82 },

  meadowbrook: { en: 'Meadowbrook', ar: 'ميدوبروك', tone: 'green', level: 1 },
  lunadale: { en: 'Lunadale', ar: 'لوناديل', tone: 'blue', level: 1.08 },
  tallat: { en: 'Tallat', ar: 'طلات', tone: 'teal', level: 0.94 },
  creamfold: { en: 'Creamfold', ar: 'كريمفولد', tone: 'navy', level: 1.25 },
  hennaway: { en: 'Hennaway', ar: 'هيناواي', tone: 'amber', level: 1.05 },

  crumblane: { en: 'Crumblane', ar: 'كرمبلين', tone: 'caramel', level: 1.1 },
  wheatwell: { en: 'Wheatwell', ar: 'ويتويل', tone: 'amber', level: 1 },
  ovenby: { en: 'Ovenby', ar: 'أوفنبي', tone: 'red', level: 1 },

  ridgeholm: { en: 'Ridgeholm', ar: 'ريدجهولم', tone: 'berry', level: 1.15 },
  cluckley: { en: 'Cluckley', ar: 'كلاكلي', tone: 'orange', level: 1 },
  tideline: { en: 'Tideline', ar: 'تايدلاين', tone: 'navy', level: 1.1 },

  kernelia: { en: 'Kernelia', ar: 'كيرنيليا', tone: 'amber', level: 1 },
  himalisa: { en: 'Himalisa', ar: 'هيماليسا', tone: 'violet', level: 1.2 },
  zarina: { en: 'Zarina Fields', ar: 'زارينا فيلدز', tone: 'green', level: 1.05 },
  olivane: { en: 'Olivane', ar: 'أوليفان', tone: 'forest', level: 1.2 },
  goldpress: { en: 'Goldpress', ar: 'جولدبريس', tone: 'amber', level: 1 },
  trecolli: { en: 'Trecolli', ar: 'تريكولي', tone: 'blue', level: 1.1 },
  verna: { en: 'Casa Vernelle', ar: 'كازا فيرنيل', tone: 'red', level: 1.2 },
  slurpico: { en: 'Slurpico', ar: 'سلوربيكو', tone: 'orange', level: 0.95 },
  wokaloo: { en: 'Wokaloo', ar: 'ووكالو', tone: 'red', level: 1.1 },
  tindale: { en: 'Tindale', ar: 'تينديل', tone: 'teal', level: 1 },
  harrowby: { en: 'Harrowby', ar: 'هاروبي', tone: 'green', level: 1.1 },
  attarin: { en: 'Attarina', ar: 'عطارينا', tone: 'brown', level: 1 },
  zafrine: { en: 'Zafrine', ar: 'زفرين', tone: 'orange', level: 1.2 },
  dollopy: { en: 'Dollopy', ar: 'دولوبي', tone: 'red', level: 1 },
  tangwood: { en: 'Tangwood', ar: 'تانغوود', tone: 'charcoal', level: 1.15 },
  floursmith: { en: 'Floursmith', ar: 'فلاورسميث', tone: 'blue', level: 1 },
  sweetmill: { en: 'Sweetmill', ar: 'سويتميل', tone: 'pink', level: 1.05 },
  morningale: { en: 'Morningale', ar: 'مورنينغيل', tone: 'orange', level: 1.1 },
  oatsby: { en: 'Oatsby', ar: 'أوتسبي', tone: 'caramel', level: 1 },
  beewick: { en: 'Beewick', ar: 'بيويك', tone: 'amber', level: 1.15 },
  preservia: { en: 'Preservia', ar: 'بريزيرفيا', tone: 'berry', level: 1 },

  crunchaway: { en: 'Crunchaway', ar: 'كرانشاواي', tone: 'red', level: 1 },
  kettlemoon: { en: 'Kettlemoon', ar: 'كيتلمون', tone: 'navy', level: 1.3 },
  chipperoo: { en: 'Chipperoo', ar: 'تشيبرو', tone: 'amber', level: 0.9 },
  dunkwell: { en: 'Dunkwell', ar: 'دنكويل', tone: 'blue', level: 1 },
  crumbelle: { en: 'Crumbelle', ar: 'كرامبيل', tone: 'pink', level: 1.2 },
  cacaotine: { en: 'Cacaotine', ar: 'كاكاوتين', tone: 'brown', level: 1.25 },
  velvando: { en: 'Velvando', ar: 'فيلفاندو', tone: 'violet', level: 1 },
  noisetto: { en: 'Noisetto', ar: 'نوازيتو', tone: 'red', level: 1.05 },
  gummaroo: { en: 'Gummaroo', ar: 'غامارو', tone: 'pink', level: 1 },
  nuttavia: { en: 'Nuttavia', ar: 'ناتافيا', tone: 'caramel', level: 1.05 },
  nakhlati: { en: 'Nakhlati', ar: 'نخلاتي', tone: 'brown', level: 1.1 },
  tamrina: { en: 'Tamrina', ar: 'تمرينا', tone: 'amber', level: 1 },

  clearwadi: { en: 'Clearwadi', ar: 'كليروادي', tone: 'sky', level: 1 },
  springlet: { en: 'Springlet', ar: 'سبرينغليت', tone: 'teal', level: 1.15 },
  fizzaro: { en: 'Fizzaro', ar: 'فيزارو', tone: 'red', level: 1.05 },
  popskip: { en: 'Popskip', ar: 'بوبسكيب', tone: 'violet', level: 0.95 },
  zapfox: { en: 'Zapfox', ar: 'زابفوكس', tone: 'charcoal', level: 1 },
  orchardly: { en: 'Orchardly', ar: 'أوركاردلي', tone: 'green', level: 1.1 },
  sunpip: { en: 'Sunpip', ar: 'صنبيب', tone: 'orange', level: 1 },
  ceylara: { en: 'Ceylara', ar: 'سيلارا', tone: 'red', level: 1.1 },
  leafwell: { en: 'Leafwell', ar: 'ليفويل', tone: 'green', level: 1 },
  beanharbor: { en: 'Beanharbor', ar: 'بينهاربور', tone: 'navy', level: 1.15 },
  qahwina: { en: 'Qahwina', ar: 'قهوينا', tone: 'brown', level: 1 },

  frostfield: { en: 'Frostfield', ar: 'فروستفيلد', tone: 'sky', level: 1 },
  snowcroft: { en: 'Snowcroft', ar: 'سنوكروفت', tone: 'blue', level: 1.1 },
  gelatissa: { en: 'Gelatissa', ar: 'جيلاتيسا', tone: 'pink', level: 1.25 },
  scoopenny: { en: 'Scoopenny', ar: 'سكوبيني', tone: 'violet', level: 1 },

  sparkadoo: { en: 'Sparkadoo', ar: 'سباركادو', tone: 'blue', level: 1.05 },
  washby: { en: 'Washby', ar: 'واشبي', tone: 'teal', level: 1 },
  lintara: { en: 'Lintara', ar: 'لينتارا', tone: 'violet', level: 1.15 },
  nuvolina: { en: 'Nuvolina', ar: 'نوفولينا', tone: 'sky', level: 1.1 },
  tissara: { en: 'Tissara', ar: 'تيسارا', tone: 'pink', level: 1 },

  silkroot: { en: 'Silkroot', ar: 'سيلكروت', tone: 'caramel', level: 1.2 },
  botanelle: { en: 'Botanelle', ar: 'بوتانيل', tone: 'green', level: 1.1 },
  aquelle: { en: 'Aquelline', ar: 'أكويلين', tone: 'sky', level: 1 },
  mintessa: { en: 'Mintessa', ar: 'مينتيسا', tone: 'mint', level: 1 },
  dentory: { en: 'Dentory', ar: 'دينتوري', tone: 'blue', level: 1.15 },
  cuddlekin: { en: 'Cuddlekin', ar: 'كادلكين', tone: 'sky', level: 1.05 },
  littlefern: { en: 'Littlefern', ar: 'ليتلفيرن', tone: 'lime', level: 1.15 },
  whiskerly: { en: 'Whiskerly', ar: 'ويسكرلي', tone: 'violet', level: 1 },
  barkadia: { en: 'Barkadia', ar: 'باركاديا', tone: 'orange', level: 1 },
} as const satisfies Record<string, Brand>;

export type BrandId = keyof typeof brands;
