/** Prefixes a message with its length in two bytes, as DNS over TCP and TLS requires (RFC 1035, RFC 7858). */
export function framed(message: Uint8Array): Buffer {
  const framedMessage = Buffer.allocUnsafe(message.length + 2);
  framedMessage.writeUInt16BE(message.length, 0);
  framedMessage.set(message, 2);
  return framedMessage;
}

/** Takes the chunks of a stream of framed messages and calls `onMessage` with each whole message, a slice of the chunks. */
export function frameReader(onMessage: (message: Buffer) => void): (chunk: Buffer) => void {
  let received: Buffer = Buffer.alloc(0);
  return (chunk) => {
    received = received.length ? Buffer.concat([received, chunk]) : chunk;
    while (received.length >= 2) {
      const end = 2 + received.readUInt16BE(0);
      if (received.length < end) return;
      const message = received.subarray(2, end);
      received = received.subarray(end);
      onMessage(message);
    }
  };
}
