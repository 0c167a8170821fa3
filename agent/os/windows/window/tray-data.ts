const size = 976;
const [hasMessage, hasIcon, hasTip, hasInfo] = [1, 2, 4, 16];

export interface TrayDeps {
  window: number | bigint;
  icon: number | bigint;
  message: number;
  tip: string;
  balloon?: { title: string; text: string };
}

/** NOTIFYICONDATAW on 64 bits. Texts that are too long are cut. */
export function trayData({ window, icon, message, tip, balloon }: TrayDeps): Buffer {
  const data = Buffer.alloc(size);
  const text = (value: string, at: number, units: number) => void data.write(value.slice(0, units - 1), at, 'utf16le');
  data.writeUInt32LE(size, 0);
  data.writeBigUInt64LE(BigInt(window), 8);
  data.writeUInt32LE(1, 16);
  data.writeUInt32LE(hasMessage | hasIcon | hasTip | (balloon ? hasInfo : 0), 20);
  data.writeUInt32LE(message, 24);
  data.writeBigUInt64LE(BigInt(icon), 32);
  text(tip, 40, 128);
  text(balloon?.text ?? '', 304, 256);
  text(balloon?.title ?? '', 820, 64);
  return data;
}
