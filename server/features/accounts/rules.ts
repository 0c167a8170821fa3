/**
 * A PIN that someone would try first (P2.6): a few digits over and over (112112), even steps up or down (123456, 975319), or a block that
 * is repeated (123123). 3,680 of the million there are.
 */
export function isTrivialPin(pin: string): boolean {
  const digits = Array.from(pin, Number);
  const steps = (list: number[]) => list.slice(1).map((digit, i) => (digit - (list[i] ?? 0) + 10) % 10);
  const even = (list: number[]) => new Set(steps(list)).size === 1;
  const pairs = digits.filter((_, i) => i % 2 === 0);
  const doubled = digits.every((digit, i) => digit === pairs[Math.floor(i / 2)]);
  const repeated = pin.slice(0, pin.length / 2).repeat(2) === pin;
  return new Set(digits).size < 3 || even(digits) || repeated || (doubled && even(pairs));
}
