const reasons = {
  not_a_feed: 'it is not a feed',
  too_large: 'it is larger than any feed is',
  unsigned: 'nobody has signed them',
  keys_signature: 'the list of keys is not signed by a key that we know',
  keys_successor: 'a list of keys follows that the root key in force did not sign',
  keys_order: 'a list of keys is missing between two others',
  keys_epoch: 'the list of keys is from before our server was restored',
  keys_expired: 'the list of keys is out of date',
  keys_older: 'it was made with older keys than we know',
  keys_missing: 'it was made with newer keys than it brings',
  set_signature: 'they are not signed by a key that we know',
  signing_key_over: 'the key that signed them was not good then',
  set_expired: 'they are out of date',
  set_older: 'they are older than ours',
  set_same: 'they are the ones we have',
  part_length: 'a part has another length than was signed',
  part_content: 'a part is not what was signed',
  catalogue: 'what was signed is no catalogue',
  sites: 'what was signed is no list of sites',
} as const;
export type FeedReason = keyof typeof reasons;

/** The message ends with what the agent continues to use. */
export class FeedRefused extends Error {
  readonly reason: FeedReason;

  constructor(reason: FeedReason) {
    super(`the definitions are not taken, ${reasons[reason]}; the last good ones stay in force`);
    this.reason = reason;
  }
}

export const refuseFeed = (reason: FeedReason): never => {
  throw new FeedRefused(reason);
};
