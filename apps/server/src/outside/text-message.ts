import type { Config } from '../config.ts'
import { withBackup } from './with-backup.ts'

/** Sends one text message to a number in E.164 format (+ and digits). Rejects when the service does not accept it. */
export interface TextMessenger {
  send: (message: { to: string; text: string }) => Promise<void>
}

type Message = Parameters<TextMessenger['send']>[0]

/** How a service is called. `refusal` finds out what it objects to in an answer that is not an HTTP error. */
interface Service {
  request: (message: Message) => { url: string; headers?: Record<string, string>; body: string | URLSearchParams }
  refusal?: (answer: unknown) => string | undefined
}

/** Account, secret and sender in the address of a provider, such as `twilio://account:secret@host?from=sender`. */
interface Provider {
  origin: string
  account: string
  secret: string
  from: string
}

const providers: Record<string, (at: Provider) => Service> = {
  // Messages of Twilio's API 2010-04-01. A sender that begins with MG is a messaging service.
  twilio: ({ origin, account, secret, from }) => ({
    request: ({ to, text }) => ({
      url: `${origin}/2010-04-01/Accounts/${account}/Messages.json`,
      headers: { authorization: `Basic ${Buffer.from(`${account}:${secret}`).toString('base64')}` },
      body: new URLSearchParams({
        To: to,
        [/^MG[0-9a-f]{32}$/.test(from) ? 'MessagingServiceSid' : 'From']: from,
        Body: text,
      }),
    }),
  }),
  // Vonage's SMS API. It answers 200 to what it refuses, with a status in the body.
  vonage: ({ origin, account, secret, from }) => ({
    request: ({ to, text }) => ({
      url: `${origin}/sms/json`,
      body: new URLSearchParams({
        api_key: account,
        api_secret: secret,
        from,
        to: to.replace('+', ''),
        text,
        type: 'unicode',
      }),
    }),
    refusal: answer => {
      const { messages } = answer as { messages?: { status?: unknown; 'error-text'?: unknown }[] }
      const refused = messages?.find(each => each.status !== '0')
      return messages?.length && !refused ? undefined : String(refused?.['error-text'] ?? 'no message')
    },
  }),
}

/** Reads the address of a provider; null for a plain service. Throws for one without account, secret or sender. */
function providerAt(address: string): Service | null {
  const make = providers[address.split(':', 1)[0] ?? '']
  if (!make) return null
  const { username, password, host, searchParams } = new URL(address)
  const account = decodeURIComponent(username)
  const secret = decodeURIComponent(password)
  const from = searchParams.get('from')
  if (!account || !secret || !from) throw new Error('account, secret or sender is missing')
  return make({ origin: `https://${host}`, account, secret, from })
}

const plain = (url: string): Service => ({
  request: message => ({ url, headers: { 'content-type': 'application/json' }, body: JSON.stringify(message) }),
})

/** Sends messages by the first service, and by the backup when the first fails. */
export const smsMessengers = ({ smsUrl, smsBackupUrl }: Pick<Config, 'smsUrl' | 'smsBackupUrl'>): TextMessenger => ({
  send: withBackup(smsMessenger(smsUrl).send, smsBackupUrl ? smsMessenger(smsBackupUrl).send : undefined),
})

/**
 * Sends messages by a provider (`twilio://` or `vonage://account:secret@host?from=sender`), or through a service that
 * takes `POST {to, text}` and answers 2xx. With an empty address every send rejects.
 */
export function smsMessenger(address: string, post: typeof fetch = fetch): TextMessenger {
  const { request, refusal } = providerAt(address) ?? plain(address)
  return {
    async send(message) {
      if (address === '') throw new Error('COFFER_SMS_URL is not set: text messages cannot be sent')
      const { url, ...sent } = request(message)
      const answer = await post(url, {
        method: 'POST',
        ...sent,
        redirect: 'error',
        signal: AbortSignal.timeout(10_000),
      })
      if (!answer.ok || !refusal) await answer.body?.cancel()
      if (!answer.ok) throw new Error(`the text message service answered ${answer.status}`)
      const refused = refusal?.(await answer.json())
      if (refused) throw new Error(`the text message service refused: ${refused}`)
    },
  }
}
