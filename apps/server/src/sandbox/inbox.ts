import type { ChatPoster } from '../outside/chat-hooks.ts'
import type { Mailer } from '../outside/mail.ts'
import type { Pusher } from '../outside/push.ts'
import type { TextMessenger } from '../outside/text-message.ts'

/** A mail, text or push message that production would have sent. */
export interface SandboxMessage {
  id: number
  channel: 'email' | 'phone' | 'push' | 'chat'
  to: string
  subject: string
  text: string
  /** The 6-digit code in it, which is no part of an amount, an address or a link, or empty. */
  code: string
  /** Unix seconds. */
  time: number
}

export interface SandboxInbox {
  mail: Mailer
  text: TextMessenger
  push: Pusher
  chat: ChatPoster
  /** Lists messages, newest first; optionally only those to one mailbox, phone number or push address. */
  list: (to?: string) => SandboxMessage[]
}

const messagesMax = 500

/** Keeps the last messages in memory. */
export function makeSandboxInbox(): SandboxInbox {
  const messages: SandboxMessage[] = []
  let last = 0
  const put = (channel: SandboxMessage['channel'], to: string, subject: string, text: string) => {
    const [code = ''] = /(?<![\w.-])\d{6}(?![\w-]| [A-Z])/.exec(text) ?? []
    messages.unshift({ id: ++last, channel, to, subject, text, code, time: Math.floor(Date.now() / 1_000) })
    messages.length = Math.min(messages.length, messagesMax)
  }
  return {
    mail: { send: async ({ to, subject, text }) => put('email', to, subject, text), check: async () => {} },
    text: { send: async ({ to, text }) => put('phone', to, '', text) },
    push: {
      async send({ device, payload }) {
        const { title, body } = JSON.parse(payload) as { title: string; body: string }
        put('push', device.endpoint, title, body)
        return { result: 'accepted' }
      },
    },
    chat: {
      async post({ url }, { title, text, link }) {
        put('chat', url, title, `${text}\n${link}`)
        return { result: 'accepted' }
      },
    },
    list: to => (to === undefined ? messages : messages.filter(each => each.to.toLowerCase() === to.toLowerCase())),
  }
}
