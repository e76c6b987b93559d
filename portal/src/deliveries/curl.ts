type Request = { url: string; headers: Record<string, string>; body: string };

/** The request as a curl command. A hidden header becomes a shell variable that the user sets. */
export function curlOf({ url, headers, body }: Request): string {
  const lines = Object.entries(headers).map(([name, value]) =>
    value === '[hidden]'
      ? `-H "${name}: $${name.toUpperCase().replaceAll('-', '_')}"`
      : `-H ${quoted(`${name}: ${value}`)}`,
  );
  return [`curl -i ${quoted(url)}`, ...lines, `--data-binary ${quoted(body)}`].join(' \\\n  ');
}

/** In single quotes, a POSIX shell leaves everything as it is except the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
