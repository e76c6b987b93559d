/** The lines of a text, each with at most `width` characters unless a word is longer. */
export function wrapText(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrap(line, width));
}

function wrap(line: string, width: number): string[] {
  const lines = [''];
  for (const word of line.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last === '') lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
