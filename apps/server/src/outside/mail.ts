import { createTransport } from 'nodemailer'

/** Sends one mail; resolves when the next hop took it, rejects when it did not. */
export interface Mailer {
  send: (mail: { to: string; subject: string; text: string }) => Promise<void>
}

const timeoutMs = 10_000

const onThisMachine = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/**
 * Mails by SMTP. The URL is `smtp://user:password@host:587` or `smtps://...:465`. A password leaves this machine only inside
 * TLS, whatever somebody on the way says the server can do.
 */
export function smtpMailer(url: string, from: string): Mailer {
  const { username, hostname } = new URL(url)
  const requireTLS = username !== '' && !onThisMachine.test(hostname)
  const transport = createTransport(
    { url, requireTLS, connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
    { from, disableFileAccess: true, disableUrlAccess: true },
  )
  return {
    async send({ to, subject, text }) {
      // As an object, so that nothing in an address can be read as a second one.
      await transport.sendMail({ to: { name: '', address: to }, subject, text })
    },
  }
}
