import { createHash } from 'node:crypto';

/** What a look at a signature found; written apart from what signs. */
export interface Checked {
  identifier: string;
  team: string | null;
  ad_hoc: boolean;
  pages: number;
  /** Numbers of the pages whose hash is not the one in the signature. */
  bad: number[];
  /** What else is wrong, one sentence each. */
  wrong: string[];
}

/** Checks each page of the first SHA-256 code directory of a file of one architecture, and that the signature is where the file says. */
export function checkMachO(file: Buffer): Checked {
  const wrong: string[] = [];
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const commands = new Map<number, number[]>();
  let at = 32;
  for (let n = view.getUint32(16, true); n > 0; n--) {
    const kind = view.getUint32(at, true);
    commands.set(kind, [...(commands.get(kind) ?? []), at]);
    at += view.getUint32(at + 4, true);
  }
  if (at !== 32 + view.getUint32(20, true)) wrong.push('the load commands are not as long as the header says');
  const signatures = commands.get(0x1d) ?? [];
  if (signatures.length !== 1) throw new Error(`there are ${signatures.length} signatures`);
  const start = view.getUint32((signatures[0] ?? 0) + 8, true);
  const size = view.getUint32((signatures[0] ?? 0) + 12, true);
  if (start + size !== file.length) wrong.push('the signature does not end where the file ends');
  const last = (commands.get(0x19) ?? []).find((segment) => file.toString('latin1', segment + 8, segment + 18) === '__LINKEDIT') ?? 0;
  const ends = Number(view.getBigUint64(last + 40, true) + view.getBigUint64(last + 48, true));
  if (ends !== file.length) wrong.push('the last segment does not end where the file ends');
  if (view.getBigUint64(last + 32, true) < view.getBigUint64(last + 48, true)) wrong.push('the last segment has no room in memory');

  const signature = file.subarray(start, start + size);
  const parts = Array.from({ length: signature.readUInt32BE(8) }, (_none, n) => ({
    kind: signature.readUInt32BE(12 + 8 * n),
    blob: signature.subarray(signature.readUInt32BE(16 + 8 * n)),
  }));
  const directories = parts.filter(({ blob }) => blob.readUInt32BE(0) === 0xfade0c02 && blob[37] === 2);
  const directory = directories[0]?.blob;
  if (!directory) throw new Error('there is no SHA-256 code directory');
  const [, , version = 0, flags = 0, hashes = 0, name = 0, special = 0, slots = 0, limit = 0] = Array.from({ length: 9 }, (_none, n) =>
    directory.readUInt32BE(4 * n),
  );
  if (start % 16 !== 0) wrong.push('the signature does not begin at a multiple of 16');
  if (limit !== start) wrong.push(`what is signed ends at ${limit}, and the signature begins at ${start}`);
  const page = 1 << (directory[39] ?? 0);
  if (slots !== Math.ceil(limit / page)) wrong.push('there are more or fewer hashes than pages');
  const bad = Array.from({ length: slots }, (_none, n) => n).filter((n) => {
    const hash = createHash('sha256')
      .update(file.subarray(n * page, Math.min((n + 1) * page, limit)))
      .digest();
    return !hash.equals(directory.subarray(hashes + 32 * n, hashes + 32 * n + 32));
  });
  for (const { kind, blob } of parts) {
    if (kind === 0 || kind > special) continue;
    const hash = createHash('sha256')
      .update(blob.subarray(0, blob.readUInt32BE(4)))
      .digest();
    if (!hash.equals(directory.subarray(hashes - 32 * kind, hashes - 32 * kind + 32))) wrong.push(`part ${kind} has another hash`);
  }
  const textAt = (offset: number) => directory.toString('utf8', offset, directory.indexOf(0, offset));
  const team = version >= 0x20200 ? directory.readUInt32BE(48) : 0;
  return { identifier: textAt(name), team: team ? textAt(team) : null, ad_hoc: (flags & 2) !== 0, pages: slots, bad, wrong };
}
