import { createTransport } from 'nodemailer'

/** Sends one mail. Resolves once the mail server has accepted it, rejects otherwise. */
export interface Mailer {
  send: (mail: { to: string; subject: string; text: string }) => Promise<void>
}

const timeoutMs = 10_000

const localHost = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/**
 * Sends mail over SMTP. The URL is `smtp://user:password@host:587` or `smtps://...:465`. A password is sent to another
 * host only over TLS, even when the server (or a man in the middle) does not offer STARTTLS.
 */
export function smtpMailer(url: string, from: string): Mailer {
  const { username, hostname } = new URL(url)
  const requireTLS = username !== '' && !localHost.test(hostname)
  const transport = createTransport(
    { url, requireTLS, connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
    { from, disableFileAccess: true, disableUrlAccess: true },
  )
  return {
    async send({ to, subject, text }) {
      // An object, because a string would be parsed as a list of addresses.
      await transport.sendMail({ to: { name: '', address: to }, subject, text })
    },
  }
}
