/** No list has a reason for longer lines; one that does is broken or wants to fill the memory. */
export const longestLine = 4096;

/**
 * Calls `each` for every line of a text that arrives in pieces, without its line break (LF, CRLF or CR) and without the byte-order mark
 * at its beginning. A line over `longestLine` letters comes as null, once, and is never held. Numbers begin at 1.
 */
export async function eachLine(
  chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
  each: (text: string | null, line: number) => void,
): Promise<void> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let [pending, line, tooLong, afterReturn, first] = ['', 0, false, false, true];
  const end = (text: string) => {
    line++;
    const whole = pending + text;
    each(tooLong || whole.length > longestLine ? null : whole, line);
    pending = '';
    tooLong = false;
  };
  const take = (decoded: string) => {
    let text = decoded;
    if (first && text !== '') {
      text = text.replace(/^\uFEFF/, '');
      first = false;
    }
    if (afterReturn && text !== '') {
      if (text.startsWith('\n')) text = text.slice(1);
      afterReturn = false;
    }
    let from = 0;
    for (const { 0: lineBreak, index } of text.matchAll(/\r\n|\n|\r/g)) {
      end(text.slice(from, index));
      from = index + lineBreak.length;
      afterReturn = lineBreak === '\r' && from === text.length;
    }
    // What cannot become a line any more is dropped at once.
    if (tooLong || pending.length + text.length - from > longestLine) [tooLong, pending] = [true, ''];
    else pending += text.slice(from);
  };
  for await (const chunk of chunks) take(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
  take(decoder.decode());
  if (pending !== '' || tooLong) end('');
}
