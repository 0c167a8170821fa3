/** In milliseconds. A day is 24 hours: local days differ where clocks change. */
export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;
