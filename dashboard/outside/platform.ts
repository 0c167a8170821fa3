/** 3.20 and 9.11: what this computer runs, as far as the browser tells. */
export interface Platform {
  kind: 'macOS' | 'Windows' | 'unknown';
  /** As a person would say it. */
  description: string;
  /** 64-bit x86 Windows 10 and 11, and any macOS. */
  supported: boolean;
}

export function platformOf(userAgent: string): Platform {
  if (/Windows NT 10\.0/.test(userAgent)) {
    const x64 = /Win64|x64|WOW64/.test(userAgent) && !/ARM/.test(userAgent);
    return { kind: 'Windows', description: x64 ? 'Windows' : 'Windows (not 64-bit x86)', supported: x64 };
  }
  if (/Windows/.test(userAgent)) return { kind: 'Windows', description: 'an older Windows', supported: false };
  if (/Macintosh|Mac OS X/.test(userAgent) && !/iPhone|iPad|Mobile/.test(userAgent))
    return { kind: 'macOS', description: 'macOS', supported: true };
  const other = [
    [/iPhone|iPad/, 'iOS'],
    [/Android/, 'Android'],
    [/CrOS/, 'ChromeOS'],
    [/Linux/, 'Linux'],
  ] as const;
  const description = other.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'something we do not know';
  return { kind: 'unknown', description, supported: false };
}
