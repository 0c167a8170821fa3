/** 3.20 and 9.11: what this computer runs, as far as the browser tells. */
export interface Platform {
  kind: 'macOS' | 'Windows' | 'unknown';
  description: string;
  /** 64-bit x86 Windows 10 and 11, and any macOS. */
  supported: boolean;
}

export interface Told {
  userAgent: string;
  /** How many fingers the screen takes; a tablet that calls itself a Mac takes more than one. */
  touch_points: number;
  /** User-agent client hints: more exact than the user agent, which is frozen; null where the browser has none. */
  hints: Hints | null;
}

interface Hints {
  platform: string;
  platformVersion?: string;
  architecture?: string;
  bitness?: string;
}

export function platformOf({ userAgent, touch_points, hints }: Told): Platform {
  if (hints?.platform === 'Windows') return windowsOf(hints);
  if (hints?.platform === 'macOS') return macOS;
  if (hints?.platform) return other(named[hints.platform] ?? hints.platform);
  if (/Windows Phone|Xbox/.test(userAgent)) return other('Windows, but not of a computer');
  if (/Windows NT 10\.0/.test(userAgent)) {
    if (/ARM/.test(userAgent)) return unfit('Windows on ARM');
    return /Win64|x64|WOW64/.test(userAgent) ? windows : unfit('32-bit Windows');
  }
  if (/Windows/.test(userAgent)) return unfit('an older Windows');
  if (/iPhone|iPod/.test(userAgent)) return other('iOS');
  if (/iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && touch_points > 1)) return other('iPadOS');
  if (/Macintosh/.test(userAgent)) return macOS;
  return other(['Android', 'CrOS', 'Linux'].flatMap((name) => (userAgent.includes(name) ? [named[name] ?? name] : []))[0] ?? unnamed);
}

/** Reads it from this browser. A check that fails is logged and changes nothing (8.17): then the user agent must do. */
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

const unnamed = 'something we do not know';
const named: Record<string, string> = { CrOS: 'ChromeOS', 'Chrome OS': 'ChromeOS', 'Chromium OS': 'ChromeOS', Unknown: unnamed };
const macOS: Platform = { kind: 'macOS', description: 'macOS', supported: true };
const windows: Platform = { kind: 'Windows', description: 'Windows', supported: true };
const unfit = (description: string): Platform => ({ kind: 'Windows', description, supported: false });
const other = (description: string): Platform => ({ kind: 'unknown', description, supported: false });

/** Windows 10 is 1 to 10 and Windows 11 from 13 on; what came before is 0. What a browser leaves out is taken to be as it mostly is. */
function windowsOf({ platformVersion, architecture, bitness }: Hints): Platform {
  if (platformVersion && Number.parseInt(platformVersion, 10) < 1) return unfit('an older Windows');
  if (architecture && architecture !== 'x86') return unfit('Windows on ARM');
  return bitness && bitness !== '64' ? unfit('32-bit Windows') : windows;
}
