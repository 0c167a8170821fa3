/** A longer line is broken or an attempt to exhaust memory. */
export const maxLineLength = 4096;

/**
 * Calls `onLine` for every line. Handles LF, CRLF, CR and a byte-order mark, however chunks are cut. A longer line is passed as null, once, and
 * never buffered. Line numbers begin at 1.
 */
export async function eachLine(
  chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
  onLine: (text: string | null, line: number) => void,
): Promise<void> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let [unfinishedLine, line, tooLong, afterReturn, isFirst] = ['', 0, false, false, true];
  const end = (text: string) => {
    line++;
    const lineText = unfinishedLine + text;
    onLine(tooLong || lineText.length > maxLineLength ? null : lineText, line);
    unfinishedLine = '';
    tooLong = false;
  };
  const readText = (decoded: string) => {
    let text = decoded;
    if (isFirst && text !== '') {
      text = text.replace(/^\uFEFF/, '');
      isFirst = false;
    }
    if (afterReturn && text !== '') {
      if (text.startsWith('\n')) text = text.slice(1);
      afterReturn = false;
    }
    let lineStart = 0;
    for (const { 0: lineBreak, index } of text.matchAll(/\r\n|\n|\r/g)) {
      end(text.slice(lineStart, index));
      lineStart = index + lineBreak.length;
      afterReturn = lineBreak === '\r' && lineStart === text.length;
    }
    if (tooLong || unfinishedLine.length + text.length - lineStart > maxLineLength) [tooLong, unfinishedLine] = [true, ''];
    else unfinishedLine += text.slice(lineStart);
  };
  for await (const chunk of chunks) readText(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
  readText(decoder.decode());
  if (unfinishedLine !== '' || tooLong) end('');
}
