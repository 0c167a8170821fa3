export function Lamp({ lit = true, size = 32 }: { lit?: boolean; size?: number }) {
  return (
    <svg
      viewBox="0 0 64 80"
      width={size}
      height={size * 1.25}
      fill="none"
      stroke="currentColor"
      strokeWidth="4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M32 4v6M13 25 32 11l19 14" />
      <path d="M17 27h30l-4 33H21z" fill={lit ? 'var(--lamp)' : 'none'} />
      {lit && <path d="M32 37c4 5 6 8 6 11a6 6 0 0 1-12 0c0-3 2-6 6-11z" fill="#fff8e2" stroke="none" />}
      <path d="M24 67h16M28 75h8" />
    </svg>
  );
}
