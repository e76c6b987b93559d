export type Size = { en: string; ar: string; amount: number };

type Unit = { en: string; ar: { one: string; few: string }; amount: number };

/**
 * Arabic uses the plural for 3 to 10 and the singular from 11 on. Units of measure do not change.
 * English uses "pieces" if the product name already says what the pieces are.
 */
const units: Readonly<Record<string, Unit>> = {
  ml: measure('ml', 'مل', 1),
  L: measure('L', 'لتر', 1000),
  g: measure('g', 'جم', 1),
  kg: measure('kg', 'كجم', 1000),
  m: measure('m', 'متر', 1),
  pieces: counted('pieces', 'قطعة', 'قطع'),
  eggs: counted('pieces', 'بيضة', 'بيضات'),
  bags: counted('bags', 'كيس', 'أكياس'),
  capsules: counted('capsules', 'كبسولة', 'كبسولات'),
  tablets: counted('pieces', 'قرص', 'أقراص'),
  cubes: counted('cubes', 'مكعب', 'مكعبات'),
  rolls: counted('rolls', 'لفة', 'لفات'),
  tissues: counted('sheets', 'منديل', 'مناديل'),
  wipes: counted('pieces', 'منديل', 'مناديل'),
  nappies: counted('pieces', 'حفاض', 'حفاضات'),
  sacks: counted('pieces', 'كيس', 'أكياس'),
};

/** Parses a size such as "1 L", "6 x 330 ml" or "30 eggs". Amounts can be compared within a range. */
export function readSize(text: string): Size {
  const [, times, amount, unitName] = /^(?:(\d+) x )?([\d.]+) (\w+)$/.exec(text) ?? [];
  const unit = units[unitName ?? ''];
  if (!amount || !unit) throw new Error(`Not a size: ${text}`);
  const number = Number(amount);
  const ar = `${amount} ${number >= 3 && number <= 10 ? unit.ar.few : unit.ar.one}`;
  return {
    en: times ? `${times} × ${amount} ${unit.en}` : `${amount} ${unit.en}`,
    ar: times ? `${ar} × ${times}` : ar,
    amount: Number(times ?? 1) * number * unit.amount,
  };
}

function measure(en: string, ar: string, amount: number): Unit {
  return { en, ar: { one: ar, few: ar }, amount };
}

function counted(en: string, one: string, few: string): Unit {
  return { en, ar: { one, few }, amount: 1 };
}
