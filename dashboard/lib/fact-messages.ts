// What is wrong, as the home screen and a guardian's page name it. `names`: of one device or of several.

const are = (one: boolean) => (one ? 'is' : 'are');

export const notProtected = (names: string, one: boolean) => `${names} ${are(one)} not protected`;
export const lost = (names: string) => `We lost contact with ${names}`;
export const lostSince = (name: string, since: string) => `${name} has been out of contact since ${since}.`;
export const leaving = (name: string) => `${name} is set to leave this account`;
export const expired = (names: string, one: boolean) => (one ? `The code for ${names} has expired` : `The codes for ${names} have expired`);
export const expiredTodo = (one: boolean) => (one ? 'Make a new code to install it.' : 'Make new codes to install them.');
export const pending = (names: string, one: boolean) => `${names} ${are(one)} waiting to be installed`;
export const pendingTodo = (one: boolean) => (one ? 'Open the link on it, or type the code.' : 'On each, open its link or type its code.');
export const untilThen = (todo: string, one: boolean) => `${todo} Until then ${one ? 'it isn’t' : 'they aren’t'} protected.`;
export const notYet = (one: boolean) => (one ? 'It isn’t protected yet.' : 'They aren’t protected yet.');
export const found = (name: string, { likely, site }: { likely: boolean; site: boolean }) => {
  const what = likely ? `what looks like ${name}` : name;
  return site ? `a page of ${what}` : what;
};
export const stopped = (what: string, device: string) => `We stopped ${what} on ${device}`;
export const notStopped = (what: string, device: string) => `We did not stop ${what} on ${device}`;
export const someComputer = 'a computer';
export const alert = (names: string) => `There was an alert on ${names}`;
export const more = (n: number) => `, and ${n} more`;
