import { createTransport } from 'nodemailer';

/** Null if mail can be sent; otherwise a sentence without the password. Waits eight seconds at most for each answer. */
export async function whyNoMailServer(url: string): Promise<string | null> {
  const transport = createTransport({
    url,
    ...{ connectionTimeout: 8_000, greetingTimeout: 8_000, socketTimeout: 8_000 },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  try {
    await transport.verify();
    return null;
  } catch (err) {
    const { code = '', message } = err as NodeJS.ErrnoException;
    const host = new URL(url).host;
    if (code === 'EAUTH')
      return `The mail server of SMTP_URL (${host}) does not accept the user or the password in it. Correct SMTP_URL. Until then emails wait.`;
    return `No mail server answers at SMTP_URL (${host}: ${message || code}). Check that it is running and that the address is right. Until then emails wait.`;
  } finally {
    transport.close();
  }
}
