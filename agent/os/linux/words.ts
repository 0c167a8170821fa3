/** What cannot be done on this Linux, for the person. */
export const words = {
  notRoot: 'Without root it cannot stop programs of other users or of the system, only those that you start yourself.',
  notOthers:
    'It cannot put away files that lie in people’s own folders: this computer does not let it. Download Porchlight again and install it over this one.',
  late: 'A program that starts may run for up to a quarter of a second before it is stopped: the system does not say at once that it started.',
} as const;
