import { errorCode } from '@coffer/local/problem.ts'
import { createTransport } from 'nodemailer'
import { Counter } from 'prom-client'
import { registry } from '../kit/metrics.ts'

/** Sends one mail. Resolves once the mail server has accepted it, rejects otherwise. */
export interface Mailer {
  send: (mail: { to: string; subject: string; text: string }) => Promise<void>
  /** Rejects when the mail server cannot be reached or refuses the login. Sends nothing. */
  check: () => Promise<void>
}

const timeoutMs = 10_000

/** Times (ms) for which one check serves all callers. */
const checked = { success: 30_000, failure: 5_000 }

const localHost = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

const mails = new Counter({
  name: 'coffer_mails_total',
  help: 'Mails by result: accepted by the mail server, or failed',
  labelNames: ['result'],
  registers: [registry],
})
for (const result of ['accepted', 'failed']) mails.inc({ result }, 0)

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
  let check: { until: number; result: Promise<void> } | undefined
  const counted = <T>(sending: Promise<T>) =>
    sending.then(
      () => mails.inc({ result: 'accepted' }),
      error => {
        mails.inc({ result: 'failed' })
        check = undefined
        throw error
      },
    )
  return {
    async send({ to, subject, text }) {
      // An object, because a string would be parsed as a list of addresses.
      await counted(transport.sendMail({ to: { name: '', address: to }, subject, text }))
    },
    check() {
      if (check && performance.now() < check.until) return check.result
      const result = transport.verify().then(() => {})
      const mine = { until: performance.now() + checked.success, result }
      check = mine
      result.catch(() => {
        mine.until = performance.now() + checked.failure
      })
      return result
    },
  }
}

/** Cause and remedy by error code of the mail client. */
const sentences: Record<string, string> = {
  EAUTH: 'The mail server refuses the login. Correct user and password in COFFER_SMTP_URL',
  EDNS: 'The host in COFFER_SMTP_URL is not known. Correct its name',
  ECONNECTION: 'No mail server answers where COFFER_SMTP_URL points. Correct host and port, or open the way to it',
  ESOCKET: 'No mail server answers where COFFER_SMTP_URL points. Correct host, port, and smtp or smtps',
  ETIMEDOUT: 'The mail server does not answer in time. Correct host, port, and smtp or smtps, or open the way to it',
  ETLS: 'The mail server offers no TLS, without which no password is sent. Use smtps, or a server with STARTTLS',
  EENVELOPE: 'The mail server refuses the sender or the recipient. Correct COFFER_MAIL_FROM or the address',
  EMESSAGE: 'The mail server refuses the message. Ask whoever runs it',
}

/** Explains to the operator, in one line, why a mail could not be sent. */
export function mailProblem(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const sentence = sentences[errorCode(error) ?? ''] ?? 'The mail server cannot be used'
  return `${sentence}. (${message.replace(/\s+/g, ' ')})`
}
