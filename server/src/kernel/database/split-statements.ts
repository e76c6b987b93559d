/**
 * Splits SQL at the semicolons that are not in a literal, a quoted name or a comment. A distributed database needs
 * each statement of a migration on its own, because it passes the text on to its nodes.
 */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let current = '';
  for (const [token] of sql.matchAll(tokens)) {
    if (token === ';') {
      statements.push(current);
      current = '';
    } else if (!token.startsWith('--') && !token.startsWith('/*')) current += token;
  }
  return [...statements, current].map((statement) => statement.trim()).filter((statement) => statement !== '');
}

const tokens = /'(?:[^']|'')*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1|--[^\n]*|\/\*[\s\S]*?\*\/|;|[^'"$;/-]+|[\s\S]/g;
