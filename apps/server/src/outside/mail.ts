import { isIP } from 'node:net'
import { errorCode } from '@coffer/local/problem.ts'
import { createTransport } from 'nodemailer'
import { Counter } from 'prom-client'
import type { Config } from '../config.ts'
import { registry } from '../kit/metrics.ts'
import { withBackup } from './with-backup.ts'

export interface Mail {
  to: string
  subject: string
  text: string
  /** Names the mail for its receivers (Message-ID, RFC 5322): a repeat has the same. By default each is another. */
  id?: string
}

/** Sends one mail. Resolves once a mail server has accepted it, rejects otherwise. */
export interface Mailer {
  send: (mail: Mail) => Promise<void>
  /** Rejects when the mail server cannot be reached or refuses the login. Sends nothing. */
  check: () => Promise<void>
}

/** How long (ms) a mail server may take to answer. */
const answerMs = 10_000

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

/** The settings of mail. */
export type MailSettings = Pick<Config, 'smtpUrl' | 'smtpBackupUrl' | 'mailFrom' | 'publicUrl'>

/**
 * Sends mail over SMTP, by the backup server when the first fails. The URLs are `smtp://user:password@host:587` or
 * `smtps://...:465`. The check is of the first server that answers.
 */
export function smtpMailer(settings: MailSettings, { timeoutMs = answerMs } = {}): Mailer {
  const open = (url: string) => openSmtpServer(url, settings, timeoutMs)
  const first = open(settings.smtpUrl)
  const second = settings.smtpBackupUrl ? open(settings.smtpBackupUrl) : undefined
  const send = withBackup(first.send, second?.send, isRefusedForGood)
  let check: { until: number; result: Promise<void> } | undefined
  return {
    async send(mail) {
      try {
        await send(mail)
        mails.inc({ result: 'accepted' })
      } catch (error) {
        mails.inc({ result: 'failed' })
        check = undefined
        throw error
      }
    },
    check() {
      if (check && performance.now() < check.until) return check.result
      const result = first.check().catch(error => (second ? second.check() : Promise.reject(error)))
      const mine = { until: performance.now() + checked.success, result }
      check = mine
      result.catch(() => {
        mine.until = performance.now() + checked.failure
      })
      return result
    },
  }
}

/**
 * One mail server. A password is sent to another host only over TLS, even when the server (or a man in the middle) does
 * not offer STARTTLS. The greeting is the host of the public URL, since servers refuse `localhost`.
 */
function openSmtpServer(url: string, { mailFrom: from, publicUrl }: MailSettings, timeoutMs: number): Mailer {
  const { username, hostname } = new URL(url)
  const requireTLS = username !== '' && !localHost.test(hostname)
  const host = publicUrl && new URL(publicUrl).hostname
  const name = isIP(host.replace(/[[\]]/g, '')) ? undefined : host || undefined
  const transport = createTransport(
    { url, name, requireTLS, connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
    { from, disableFileAccess: true, disableUrlAccess: true },
  )
  return {
    async send({ to, subject, text, id }) {
      const messageId = id && `<${id}@${host || 'localhost'}>`
      // An object, because a string would be parsed as a list of addresses.
      await transport.sendMail({ to: { name: '', address: to }, subject, text, ...(messageId && { messageId }) })
    },
    check: () => transport.verify().then(() => {}),
  }
}

/** What a mail client tells of an error. */
interface MailError {
  code?: string
  message?: string
  command?: string
  responseCode?: number
  response?: string
}
const mailErrorOf = (error: unknown): MailError => (typeof error === 'object' && error !== null ? error : {})

/**
 * Whether no mail will ever reach the recipient: the mail client takes no such address, or the mail server says that
 * there is no such mailbox or address (RFC 5321, 4.2.2; RFC 3463). A policy (5.7), such as of the sender's address, may
 * change, and so may everything else.
 */
export function isRefusedForGood(error: unknown): boolean {
  const { code, message = '', command, responseCode, response = '' } = mailErrorOf(error)
  if (code === 'EENVELOPE' && command === 'API') return /recipient/i.test(message)
  return command === 'RCPT TO' && [501, 550, 551, 553].includes(responseCode ?? 0) && !/^\d{3}[ -]5\.7\./.test(response)
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

/** Explains to the operator, in a line for each server, why a mail could not be sent. */
export function mailProblem(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(mailProblem).join('\n')
  const message = error instanceof Error ? error.message : String(error)
  const sentence = sentences[errorCode(error) ?? ''] ?? 'The mail server cannot be used'
  const { command } = mailErrorOf(error)
  return `${sentence}. (${message.replace(/\s+/g, ' ')}${command ? `, at ${command}` : ''})`
}
