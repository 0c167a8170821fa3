import { isIP } from 'node:net';

// Must not import packages: the settings are checked before they are installed.

/** `should`: the expected value, for the error message. */
interface Check {
  should: string;
  ok(text: string): boolean;
}

export interface Setting extends Check {
  /** The value that has the same effect as no value; left out where none has. */
  usual?: string;
  /** What applies while it is not set, where `usual` does not say everything. */
  without?: string;
  /** What it does, in sentences for operators: for `docs/operating/settings.md` and `.env.example`. */
  meaning: string;
  /** A valid value for `.env.example`. Empty for secrets, since a published one would be used. */
  example: string;
}

/** A part of the page of settings. */
export interface SettingGroup {
  title: string;
  /** Markdown, before the table. */
  intro?: string;
  settings: Record<string, Setting>;
}

export const check = (should: string, ok: Check['ok'] = () => true): Check => ({ should, ok });
export const matching = (pattern: RegExp, should: string) => check(should, (text) => pattern.test(text));
export const oneOf = (...values: string[]) => check(joinWithOr(values), (text) => values.includes(text));
export const toggle = oneOf('on', 'off');
export const wholeNumber = (min: number, max: number, example: number, noun = 'a number') =>
  check(
    `${noun} from ${min} to ${max}, for example ${example}`,
    (text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max,
  );

/** `development, test or production` */
function joinWithOr(values: string[]): string {
  return `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}

/** Null unless the text is a URL with a host and one of these protocols. */
export function urlWith(protocols: string[], text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url && protocols.includes(url.protocol.slice(0, -1)) && url.host !== '' ? url : null;
}
const web = ['http', 'https'];
export const isWeb = (text: string) => urlWith(web, text) !== null;
/** Only a host and a port, without a path. */
export function isBareWeb(text: string): boolean {
  const url = urlWith(web, text);
  return url !== null && url.pathname === '/' && !/[?#@]/.test(text);
}

/** A host name needs a letter: `999.1.1.1` is neither an address nor a name. */
export const isHost = (text: string) => isIP(text) !== 0 || /^(?=.*[a-z])[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(text);
