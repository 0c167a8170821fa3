/** Reads a body to its end, but never more than `max` bytes: what says that it is longer, or turns out to be, is not read. Null then. */
export async function readUpTo(answer: Response, max: number): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const stated = Number(answer.headers.get('content-length') ?? 0);
  const reader = answer.body?.getReader();
  while (reader) {
    if (length > max || stated > max) {
      await reader.cancel();
      return null;
    }
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
  }
  return Buffer.concat(parts);
}
