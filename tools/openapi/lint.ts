import { readFileSync } from 'node:fs';
import { loadTool, runTool } from './load.ts';

/** Lints the OpenAPI documents with Redocly and Spectral. Warnings are treated as errors. */
const files = ['openapi/partner.json', 'openapi/platform.json'];

const redocly = runTool('redocly', ['lint', '--extends=recommended-strict', '--max-problems=100', ...files]);
if (redocly.status !== 0) console.error(redocly.output);

const problems = (await Promise.all(files.map(spectralProblems))).flat();
for (const problem of problems) console.error(problem);
process.exitCode = redocly.status === 0 && problems.length === 0 ? 0 : 1;

type Diagnostic = { code: string; message: string; path: (string | number)[] };
type Spectral = { setRuleset(ruleset: object): void; run(document: object): Promise<Diagnostic[]> };
type SpectralCore = { default: { Spectral: new () => Spectral } };
type SpectralRulesets = { default: { oas: object } };

async function spectralProblems(file: string): Promise<string[]> {
  const { Spectral } = ((await loadTool('@stoplight/spectral-core')) as SpectralCore).default;
  const { oas } = ((await loadTool('@stoplight/spectral-rulesets')) as SpectralRulesets).default;
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [oas] });
  const document = JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')) as object;
  const found = await spectral.run(document);
  return found.map(({ code, message, path }) => `${file}: ${code}: ${message} (/${path.join('/')})`);
}
