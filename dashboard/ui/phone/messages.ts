/** The errors of a phone number, named as on the server. */
export type PhoneTag = 'invalid_country' | 'too_short' | 'too_long' | 'not_a_number' | 'invalid';

export const messages = {
  country: 'Country',
  /** The country of numbers such as +800. */
  noCountry: 'International',
  countryIs: (name: string) => `The country is now ${name}.`,
  loading: 'Loading',
  problems: {
    invalid_country: 'That is not the calling code of a country.',
    too_short: 'This number is too short.',
    too_long: 'This number is too long.',
    not_a_number: 'This is not a phone number. Use digits only.',
    invalid: 'There is no such number. Check each digit.',
  } satisfies Record<PhoneTag, string>,
} as const;
