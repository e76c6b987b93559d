export type Translated = { en_AE: string; ar_AE: string };

export type DemoCategory = {
  global_id: string;
  parent_global_id: string | null;
  name: Translated;
  description?: Translated;
  active: boolean;
};

/** The names are in English and Arabic. A child's id starts with the id of its parent. */
type Row = readonly [id: string, en: string, ar: string, children?: readonly Row[]];

const tree: readonly Row[] = [
  [
    'cat-produce',
    'Fruit & Vegetables',
    'الفواكه والخضروات',
    [
      ['cat-produce-fruit', 'Fruit', 'الفواكه'],
      ['cat-produce-vegetables', 'Vegetables', 'الخضروات'],
      ['cat-produce-herbs', 'Herbs & Salad', 'الأعشاب والسلطات'],
    ],
  ],
  [
    'cat-dairy',
    'Dairy & Eggs',
    'الألبان والبيض',
    [
      ['cat-dairy-milk', 'Milk & Laban', 'الحليب واللبن'],
      ['cat-dairy-yoghurt', 'Yoghurt & Labneh', 'الزبادي واللبنة'],
      [
        'cat-dairy-cheese',
        'Cheese',
        'الأجبان',
        [
          ['cat-dairy-cheese-packed', 'Packed Cheese', 'الأجبان المعبأة'],
          ['cat-dairy-cheese-counter', 'Cheese Counter', 'ركن الأجبان'],
        ],
      ],
      ['cat-dairy-butter', 'Butter & Cream', 'الزبدة والكريمة'],
      ['cat-dairy-eggs', 'Eggs', 'البيض'],
    ],
  ],
  [
    'cat-bakery',
    'Bakery',
    'المخبوزات',
    [
      ['cat-bakery-bread', 'Bread', 'الخبز'],
      ['cat-bakery-pastries', 'Pastries & Cakes', 'المعجنات والكيك'],
    ],
  ],
  [
    'cat-meat',
    'Meat, Poultry & Fish',
    'اللحوم والدواجن والأسماك',
    [
      ['cat-meat-butcher', 'Beef & Lamb', 'لحوم البقر والغنم'],
      ['cat-meat-poultry', 'Poultry', 'الدواجن'],
      ['cat-meat-fish', 'Fish & Seafood', 'الأسماك والمأكولات البحرية'],
      ['cat-meat-deli', 'Cold Cuts & Sausages', 'اللحوم الباردة والنقانق'],
    ],
  ],
  [
    'cat-frozen',
    'Frozen',
    'المجمدات',
    [
      ['cat-frozen-food', 'Frozen Food', 'الأطعمة المجمدة'],
      ['cat-frozen-ice-cream', 'Ice Cream', 'الآيس كريم'],
    ],
  ],
  [
    'cat-pantry',
    'Food Cupboard',
    'مؤونة المطبخ',
    [
      ['cat-pantry-rice', 'Rice & Pulses', 'الأرز والبقوليات'],
      ['cat-pantry-pasta', 'Pasta & Noodles', 'المعكرونة والنودلز'],
      ['cat-pantry-oils', 'Oils & Vinegars', 'الزيوت والخل'],
      ['cat-pantry-tins', 'Tins & Jars', 'المعلبات'],
      ['cat-pantry-spices', 'Spices & Sauces', 'التوابل والصلصات'],
      ['cat-pantry-baking', 'Flour, Sugar & Baking', 'الدقيق والسكر ولوازم الخبز'],
      ['cat-pantry-breakfast', 'Breakfast & Spreads', 'الفطور والمربى'],
    ],
  ],
  [
    'cat-snacks',
    'Snacks & Sweets',
    'السناكات والحلويات',
    [
      ['cat-snacks-crisps', 'Crisps & Popcorn', 'رقائق البطاطس والفشار'],
      ['cat-snacks-biscuits', 'Biscuits & Crackers', 'البسكويت والمقرمشات'],
      ['cat-snacks-chocolate', 'Chocolate & Sweets', 'الشوكولاتة والسكاكر'],
      ['cat-snacks-nuts', 'Nuts & Dates', 'المكسرات والتمور'],
    ],
  ],
  [
    'cat-drinks',
    'Drinks',
    'المشروبات',
    [
      ['cat-drinks-water', 'Water', 'المياه'],
      ['cat-drinks-soft', 'Soft Drinks', 'المشروبات الغازية'],
      ['cat-drinks-juice', 'Juice', 'العصائر'],
      [
        'cat-drinks-hot',
        'Tea & Coffee',
        'الشاي والقهوة',
        [
          ['cat-drinks-hot-tea', 'Tea', 'الشاي'],
          ['cat-drinks-hot-coffee', 'Coffee', 'القهوة'],
        ],
      ],
    ],
  ],
  [
    'cat-household',
    'Household',
    'المنزل والتنظيف',
    [
      ['cat-household-laundry', 'Laundry', 'غسيل الملابس'],
      ['cat-household-cleaning', 'Cleaning', 'مستلزمات التنظيف'],
      ['cat-household-paper', 'Paper & Wraps', 'المناديل والورقيات'],
    ],
  ],
  [
    'cat-care',
    'Personal Care',
    'العناية الشخصية',
    [
      ['cat-care-body', 'Hair & Body', 'العناية بالشعر والجسم'],
      ['cat-care-oral', 'Oral Care', 'العناية بالفم والأسنان'],
    ],
  ],
  ['cat-baby', 'Baby', 'مستلزمات الأطفال'],
  ['cat-pets', 'Pets', 'مستلزمات الحيوانات الأليفة'],
  ['cat-ramadan', 'Ramadan Table', 'مائدة رمضان'],
];

const descriptions: Readonly<Record<string, Translated>> = {
  'cat-produce': { en_AE: 'Picked fresh and delivered daily.', ar_AE: 'طازجة وتصل إلينا يوميًا.' },
  'cat-dairy': { en_AE: 'Chilled from the farm to your door.', ar_AE: 'مبردة من المزرعة إلى بابك.' },
  'cat-bakery': { en_AE: 'Baked this morning.', ar_AE: 'مخبوزة هذا الصباح.' },
  'cat-meat': { en_AE: 'Halal, cut to order at our counters.', ar_AE: 'لحوم حلال تُقطّع حسب الطلب.' },
  'cat-pantry': { en_AE: 'Everything a kitchen keeps in stock.', ar_AE: 'كل ما يحتاجه المطبخ.' },
  'cat-drinks': { en_AE: 'Cold, hot and sparkling.', ar_AE: 'باردة وساخنة وغازية.' },
};

/** A seasonal category that stays in the tree but is inactive. */
const outOfSeason = 'cat-ramadan';

export const demoCategories: readonly DemoCategory[] = flatten(tree, null);

/** Parents come before their children, as the platform API requires. */
function flatten(rows: readonly Row[], parent: string | null): DemoCategory[] {
  return rows.flatMap(([id, en, ar, children]) => [category(id, parent, en, ar), ...flatten(children ?? [], id)]);
}

function category(id: string, parent: string | null, en: string, ar: string): DemoCategory {
  const description = descriptions[id];
  return {
    global_id: id,
    parent_global_id: parent,
    name: { en_AE: en, ar_AE: ar },
    ...(description && { description }),
    active: id !== outOfSeason,
  };
}
