/** A release that is not made, with a sentence that says what to do. */
export class Refused extends Error {}
