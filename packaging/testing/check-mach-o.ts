import { createHash } from 'node:crypto';

/** The result of checking a signature, with code independent of the signing code. */
export interface Checked {
  identifier: string;
  team: string | null;
  ad_hoc: boolean;
  pages: number;
  bad: number[];
  wrong: string[];
}

/** Checks each page of a program of one architecture against its first SHA-256 code directory. */
export function checkMachO(file: Buffer): Checked {
  const problems: string[] = [];
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const commands = new Map<number, number[]>();
  let commandOffset = 32;
  for (let n = view.getUint32(16, true); n > 0; n--) {
    const kind = view.getUint32(commandOffset, true);
    commands.set(kind, [...(commands.get(kind) ?? []), commandOffset]);
    commandOffset += view.getUint32(commandOffset + 4, true);
  }
  if (commandOffset !== 32 + view.getUint32(20, true)) problems.push('the load commands are not as long as the header says');
  const signatures = commands.get(0x1d) ?? [];
  if (signatures.length !== 1) throw new Error(`there are ${signatures.length} signatures`);
  const start = view.getUint32((signatures[0] ?? 0) + 8, true);
  const size = view.getUint32((signatures[0] ?? 0) + 12, true);
  if (start + size !== file.length) problems.push('the signature does not end where the file ends');
  const lastSegment =
    (commands.get(0x19) ?? []).find((segment) => file.toString('latin1', segment + 8, segment + 18) === '__LINKEDIT') ?? 0;
  const endOffset = Number(view.getBigUint64(lastSegment + 40, true) + view.getBigUint64(lastSegment + 48, true));
  if (endOffset !== file.length) problems.push('the last segment does not end where the file ends');
  if (view.getBigUint64(lastSegment + 32, true) < view.getBigUint64(lastSegment + 48, true))
    problems.push('the last segment has no room in memory');

  const signature = file.subarray(start, start + size);
  const blobs = Array.from({ length: signature.readUInt32BE(8) }, (_none, n) => ({
    kind: signature.readUInt32BE(12 + 8 * n),
    blob: signature.subarray(signature.readUInt32BE(16 + 8 * n)),
  }));
  const directories = blobs.filter(({ blob }) => blob.readUInt32BE(0) === 0xfade0c02 && blob[37] === 2);
  const directory = directories[0]?.blob;
  if (!directory) throw new Error('there is no SHA-256 code directory');
  const [, , version = 0, flags = 0, hashes = 0, name = 0, special = 0, slots = 0, limit = 0] = Array.from({ length: 9 }, (_none, n) =>
    directory.readUInt32BE(4 * n),
  );
  if (start % 16 !== 0) problems.push('the signature does not begin at a multiple of 16');
  if (limit !== start) problems.push(`what is signed ends at ${limit}, and the signature begins at ${start}`);
  const page = 1 << (directory[39] ?? 0);
  if (slots !== Math.ceil(limit / page)) problems.push('there are more or fewer hashes than pages');
  const bad = Array.from({ length: slots }, (_none, n) => n).filter((n) => {
    const hash = createHash('sha256')
      .update(file.subarray(n * page, Math.min((n + 1) * page, limit)))
      .digest();
    return !hash.equals(directory.subarray(hashes + 32 * n, hashes + 32 * n + 32));
  });
  for (const { kind, blob } of blobs) {
    if (kind === 0 || kind > special) continue;
    const hash = createHash('sha256')
      .update(blob.subarray(0, blob.readUInt32BE(4)))
      .digest();
    if (!hash.equals(directory.subarray(hashes - 32 * kind, hashes - 32 * kind + 32))) problems.push(`part ${kind} has another hash`);
  }
  const textAt = (offset: number) => directory.toString('utf8', offset, directory.indexOf(0, offset));
  const team = version >= 0x20200 ? directory.readUInt32BE(48) : 0;
  return { identifier: textAt(name), team: team ? textAt(team) : null, ad_hoc: (flags & 2) !== 0, pages: slots, bad, wrong: problems };
}
