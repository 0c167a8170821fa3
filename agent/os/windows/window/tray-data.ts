const dataSize = 976;
const [messageFlag, iconFlag, tipFlag, infoFlag] = [1, 2, 4, 16];

export interface TrayDeps {
  window: number | bigint;
  icon: number | bigint;
  message: number;
  tip: string;
  balloon?: { title: string; text: string };
}

/** NOTIFYICONDATAW on 64-bit Windows. Long texts are truncated. */
export function trayData({ window, icon, message, tip, balloon }: TrayDeps): Buffer {
  const data = Buffer.alloc(dataSize);
  const writeText = (value: string, at: number, units: number) => void data.write(value.slice(0, units - 1), at, 'utf16le');
  data.writeUInt32LE(dataSize, 0);
  data.writeBigUInt64LE(BigInt(window), 8);
  data.writeUInt32LE(1, 16);
  data.writeUInt32LE(messageFlag | iconFlag | tipFlag | (balloon ? infoFlag : 0), 20);
  data.writeUInt32LE(message, 24);
  data.writeBigUInt64LE(BigInt(icon), 32);
  writeText(tip, 40, 128);
  writeText(balloon?.text ?? '', 304, 256);
  writeText(balloon?.title ?? '', 820, 64);
  return data;
}
