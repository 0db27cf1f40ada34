import type { Mailer } from '../outside/mail.ts'
import type { TextMessenger } from '../outside/text-message.ts'

/** A mail or text message that would have left. */
export interface Letter {
  id: number
  channel: 'email' | 'phone'
  to: string
  subject: string
  text: string
  /** The 6-digit code in it, or empty. */
  code: string
  /** Unix seconds. */
  time: number
}

export interface Inbox {
  mail: Mailer
  text: TextMessenger
  /** Newest first; all, or those to one mailbox or number. */
  list: (to?: string) => Letter[]
}

const lettersMax = 500

/** Keeps what is sent, in memory. */
export function makeInbox(): Inbox {
  const letters: Letter[] = []
  let last = 0
  const put = (channel: Letter['channel'], to: string, subject: string, text: string) => {
    const [code = ''] = /(?<!\d)\d{6}(?!\d)/.exec(text) ?? []
    letters.unshift({ id: ++last, channel, to, subject, text, code, time: Math.floor(Date.now() / 1_000) })
    letters.length = Math.min(letters.length, lettersMax)
  }
  return {
    mail: { send: async ({ to, subject, text }) => put('email', to, subject, text) },
    text: { send: async ({ to, text }) => put('phone', to, '', text) },
    list: to => (to === undefined ? letters : letters.filter(letter => letter.to.toLowerCase() === to.toLowerCase())),
  }
}
