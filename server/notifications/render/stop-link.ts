/** Opens the confirmation of *Stop this* on a guardian's page: the link itself changes nothing (P10.6). `link`: of the page. */
export const stopLink = (link: string): { label: string; url: string } => ({ label: 'Stop this', url: `${link}?stop=1` });

/** For the word budget: the link's URL counts as a word. */
export const stopLinkWords = 'Stop this address';
