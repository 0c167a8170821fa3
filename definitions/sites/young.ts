/**
 * How the list of sites has a site that was registered a few days ago: below a name that no site can have (RFC 2606), so that it is not among those
 * that are blocked (P16.3).
 */
export const youngEntry = (site: string): string => `${site}.young.invalid`;
