/**
 * A PIN that an attacker would try first (P2.6): few digits (112112), constant steps (123456, 975319) or a repeated block (123123); 3,680
 * of a million.
 */
export function isTrivialPin(pin: string): boolean {
  const digits = Array.from(pin, Number);
  const differences = (list: number[]) => list.slice(1).map((digit, i) => (digit - (list[i] ?? 0) + 10) % 10);
  const hasEqualSteps = (list: number[]) => new Set(differences(list)).size === 1;
  const digitPairs = digits.filter((_, i) => i % 2 === 0);
  const isDoubled = digits.every((digit, i) => digit === digitPairs[Math.floor(i / 2)]);
  const isRepeated = pin.slice(0, pin.length / 2).repeat(2) === pin;
  return new Set(digits).size < 3 || hasEqualSteps(digits) || isRepeated || (isDoubled && hasEqualSteps(digitPairs));
}
