import Bowser from 'bowser';

/** The browser, such as `Firefox on Windows`. */
export function browserInWords(userAgent: string | undefined): string {
  if (!userAgent) return 'A browser';
  const { browser, os } = Bowser.parse(userAgent.slice(0, 500));
  const name = browser.name || 'A browser';
  return os.name ? `${name} on ${os.name}` : name;
}
