export const messages = {
  notRoot: 'Without root access it can’t stop programs that other users or the system start, only your own.',
  notOthers:
    'It can’t put away files in people’s own folders, because this computer doesn’t let it. Download Porchlight again and install it over this one.',
  late: 'A program may run for up to a quarter of a second before it is stopped, because the system reports it late.',
  noNftables: 'The internet cannot be cut here, because nftables is missing.',
  notCut: 'The internet cannot be cut here without root access.',
} as const;
