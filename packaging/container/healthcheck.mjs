// Whether the server in this container can write to its database. The image has no curl.
const answer = await fetch(`http://127.0.0.1:${process.env.PORT || 4380}/readyz`).catch(() => null);
process.exitCode = answer?.ok ? 0 : 1;
