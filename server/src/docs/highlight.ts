import { escapeHtml } from './escape.ts';

/** Renders code as HTML, with spans around keys, strings, numbers, keywords and comments. */
export function highlight(text: string, language: string): string {
  const grammar = grammars[language];
  if (!grammar) return escapeHtml(text);
  let html = '';
  let end = 0;
  for (const match of text.matchAll(grammar)) {
    const [kind = ''] = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined) ?? [];
    html += `${escapeHtml(text.slice(end, match.index))}<span class="${kind}">${escapeHtml(match[0])}</span>`;
    end = match.index + match[0].length;
  }
  return html + escapeHtml(text.slice(end));
}

const javascript =
  /(?<comment>\/\/.*$|\/\*[^]*?\*\/)|(?<string>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)|(?<word>\b(?:const|let|await|async|import|from|export|function|return|if|else|for|of|new|type)\b)|(?<number>\b\d[\d._]*\b)/gm;

/** Java, C#, PHP and Go look alike to a highlighter of this size. */
const braces =
  /(?<comment>\/\/.*$|\/\*[^]*?\*\/)|(?<string>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")|(?<word>\b(?:public|static|using|var|new|if|else|for|foreach|as|return|function|func|range|boolean|bool|byte|int|int64|long|string|array|throws|out|nil|null|true|false)\b)|(?<number>\b\d[\d._]*\b)/gm;

const grammars: Record<string, RegExp> = {
  json: /(?<key>"(?:[^"\\]|\\.)*")(?=\s*:)|(?<string>"(?:[^"\\]|\\.)*")|(?<number>-?\b\d[\d.eE+-]*\b)|(?<word>\b(?:true|false|null)\b)/g,
  sh: /(?<comment>(?<=^|\s)#.*$)|(?<string>'[^']*'|"(?:[^"\\]|\\.)*")|(?<word>\b(?:curl|npm|node|python3|export|for|do|done|until|sleep|echo|eval)\b)|(?<key>(?<=\s)-{1,2}[\w-]+)/gm,
  python:
    /(?<comment>(?<=^|\s)#.*$)|(?<string>[bf]?"""[^]*?"""|[bf]?'(?:[^'\\\n]|\\.)*'|[bf]?"(?:[^"\\\n]|\\.)*")|(?<word>\b(?:def|class|return|import|from|as|if|elif|else|for|while|in|not|and|or|with|try|except|None|True|False|lambda|any|pass)\b)|(?<number>\b\d[\d._]*\b)/gm,
  sql: /(?<comment>--.*$)|(?<string>'[^']*')|(?<word>\b(?:select|from|where|join|using|order|by|desc|limit|count|as|and|or|is|not|null|delete|update|set|notify|case|when)\b)|(?<number>\b\d+\b)/gim,
  java: braces,
  csharp: braces,
  php: braces,
  go: braces,
  js: javascript,
  ts: javascript,
};
