/** English texts by code, with placeholders in braces. */
export type Templates<Code extends string> = Readonly<Record<Code, string>>;
export type TemplateValues = Record<string, string | number>;

export function fillTemplate(template: string, values: TemplateValues): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}

/** Finds the template of a text and its values. Undefined if the text has no template. */
export function recognizeTemplate<Code extends string>(
  templates: Templates<Code>,
  text: string,
): { code: Code; values: Record<string, string> } | undefined {
  for (const code of Object.keys(templates) as Code[]) {
    const found = patternOf(templates[code]).exec(text);
    if (found) return { code, values: { ...found.groups } };
  }
  return undefined;
}

function patternOf(template: string): RegExp {
  const escaped = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/\{(\w+)\}/g, '(?<$1>.*)')}$`, 's');
}
