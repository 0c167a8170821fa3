/** Clauses 3.20, 9.11. */
export interface Platform {
  kind: 'macOS' | 'Windows' | 'unknown';
  description: string;
  /** Supported: 64-bit x86 Windows 10 and 11, and any macOS. */
  supported: boolean;
}

export interface BrowserInfo {
  userAgent: string;
  /** Simultaneous touches; a tablet that claims to be a Mac supports more than one. */
  touch_points: number;
  /** Client hints are more exact than the user agent, which browsers have frozen; null without hints. */
  hints: Hints | null;
}

interface Hints {
  platform: string;
  platformVersion?: string;
  architecture?: string;
  bitness?: string;
}

export function platformOf({ userAgent, touch_points, hints }: BrowserInfo): Platform {
  if (hints?.platform === 'Windows') return windowsOf(hints);
  if (hints?.platform === 'macOS') return macOS;
  if (hints?.platform) return otherPlatform(systemTexts[hints.platform] ?? hints.platform);
  if (/Windows Phone|Xbox/.test(userAgent)) return otherPlatform(systemWords.otherWindows);
  if (/Windows NT 10\.0/.test(userAgent)) {
    if (/ARM/.test(userAgent)) return unfit(systemWords.arm);
    return /Win64|x64|WOW64/.test(userAgent) ? windows : unfit(systemWords.bits32);
  }
  if (/Windows/.test(userAgent)) return unfit(systemWords.older);
  if (/iPhone|iPod/.test(userAgent)) return otherPlatform('iOS');
  if (/iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && touch_points > 1)) return otherPlatform('iPadOS');
  if (/Macintosh/.test(userAgent)) return macOS;
  return otherPlatform(
    ['Android', 'CrOS', 'Linux'].flatMap((name) => (userAgent.includes(name) ? [systemTexts[name] ?? name] : []))[0] ?? systemWords.unnamed,
  );
}

/** A failing check is logged, and the user agent is used instead (8.17). */
export async function thisPlatform(): Promise<Platform> {
  const { userAgent, maxTouchPoints: touch_points, userAgentData } = navigator as Navigator & { userAgentData?: UserAgentData };
  try {
    const hints = (await userAgentData?.getHighEntropyValues(['platformVersion', 'architecture', 'bitness'])) ?? null;
    return platformOf({ userAgent, touch_points, hints });
  } catch (err) {
    console.warn('The platform could not be checked.', err);
    return platformOf({ userAgent, touch_points, hints: null });
  }
}

interface UserAgentData {
  getHighEntropyValues(names: string[]): Promise<Hints>;
}

const systemWords = {
  otherWindows: 'Windows, but not of a computer',
  arm: 'Windows on ARM',
  bits32: '32-bit Windows',
  older: 'an older Windows',
  unnamed: 'something we do not know',
};
const systemTexts: Record<string, string> = {
  CrOS: 'ChromeOS',
  'Chrome OS': 'ChromeOS',
  'Chromium OS': 'ChromeOS',
  Unknown: systemWords.unnamed,
};
const macOS: Platform = { kind: 'macOS', description: 'macOS', supported: true };
const windows: Platform = { kind: 'Windows', description: 'Windows', supported: true };
const unfit = (description: string): Platform => ({ kind: 'Windows', description, supported: false });
const otherPlatform = (description: string): Platform => ({ kind: 'unknown', description, supported: false });

/** Windows 10 has the versions 1 to 10, Windows 11 from 13 on, older ones 0. Missing values count as the most common ones. */
function windowsOf({ platformVersion, architecture, bitness }: Hints): Platform {
  if (platformVersion && Number.parseInt(platformVersion, 10) < 1) return unfit(systemWords.older);
  if (architecture && architecture !== 'x86') return unfit(systemWords.arm);
  return bitness && bitness !== '64' ? unfit(systemWords.bits32) : windows;
}
