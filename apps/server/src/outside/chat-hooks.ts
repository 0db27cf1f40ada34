import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { CallbackReach, HostResolver } from './addresses.ts'
import type { ChatSetup, Delivery } from './delivery.ts'
import { type SafeResponse, sendSafeRequest } from './safe-http.ts'

/** A message of a chat: plain text, and the page that it leads to. */
export interface ChatMessage {
  title: string
  text: string
  link: string
  /** Lines that stand below a text, also one that is cut; empty: none. */
  notes: string
}

/** How a service marks up a text. */
interface Markup {
  /** Most bytes of a text. */
  bytesMax: number
  /** Takes away what would be markup in a title or text. */
  escape?: (text: string) => string
  bold?: (title: string) => string
}
const asItIs = (text: string) => text

/** Joins title and text, which are cut, the page that they lead to and, apart from them, the notes in some bytes. */
export function joinChatText(
  { title, text, link, notes }: ChatMessage,
  { bytesMax, escape: plain = asItIs, bold = asItIs }: Markup,
): string {
  const below = [link, notes && `\n${notes}`].flatMap(part => (part ? `\n${part}` : [])).join('')
  const above = `${bold(plain(title))}\n${plain(text)}`
  return cutToBytes(above, bytesMax - Buffer.byteLength(below)) + below
}

/** The group of a chat that takes messages by a URL. The URL is a secret, and so is what signs in some services. */
export interface ChatHook {
  kind: ChatHookKind
  url: string
  /** Signs requests, where the service was told to ask for it; empty: none. */
  secret: string
}

interface Service extends Markup {
  /** The form of its URLs, on its own hosts alone. */
  url: RegExp
  body: (text: string, signed: Signed) => object
  /** The URL of a signed request. */
  signUrl?: (url: string, secret: string, now: number) => string
  /** The fields of a signed body. */
  sign?: (secret: string, now: number) => Signed
  read: (answer: SafeResponse) => Delivery
}
type Signed = Record<string, string>

const accepted: Delivery = { result: 'accepted' }
const answerOf = (status: number, text: string) => `HTTP ${status} ${text.slice(0, 200)}`.trim()

/** What a status or code means that is no success: the hook is gone, or the set-up that refuses. Others pass. */
type Meanings = Record<number, 'gone' | ChatSetup | ((text: string) => ChatSetup)>

/** The end of an attempt by the meaning of its status or code; undefined for one that may pass. */
function refusalOf(meaning: Meanings[number] | undefined, text: string, error: string): Delivery | undefined {
  if (meaning === undefined) return undefined
  if (meaning === 'gone') return { result: 'refused', error }
  return { result: 'refused', error, setup: typeof meaning === 'function' ? meaning(text) : meaning }
}

/** Reads an answer whose status says how it ended. */
const byStatus =
  (meanings: Meanings) =>
  ({ status, text, failure, retryAfter }: SafeResponse): Delivery => {
    const error = failure ?? answerOf(status, text)
    if (status >= 200 && status < 300) return accepted
    return refusalOf(meanings[status], text, error) ?? { result: 'later', error, retryAfter }
  }

/** Reads an answer that is 200 whatever happened, with a code in the body. */
const byCode = (field: 'code' | 'errcode', meanings: Meanings) => {
  const shape = z.object({ [field]: z.number() })
  return (answer: SafeResponse): Delivery => {
    const { status, text } = answer
    if (status < 200 || status >= 300) return byStatus({ 404: 'gone', 410: 'gone' })(answer)
    const code = shape.safeParse(parseJson(text)).data?.[field]
    const error = answerOf(status, text)
    if (code === 0) return accepted
    return refusalOf(code === undefined ? undefined : meanings[code], text, error) ?? { result: 'later', error }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('base64')

/** Signed bodies have the seconds and HMAC-SHA256 of nothing under both (custom bots of Feishu and Lark). */
const signLark = (secret: string, now: number): Signed => ({
  timestamp: String(now),
  sign: hmac(`${now}\n${secret}`, ''),
})

/** Signed URLs have the milliseconds and their HMAC-SHA256 (custom robots of DingTalk). */
function signDingtalkUrl(url: string, secret: string, now: number): string {
  const timestamp = String(now * 1_000)
  const signed = new URL(url)
  signed.searchParams.set('timestamp', timestamp)
  signed.searchParams.set('sign', hmac(secret, `${timestamp}\n${secret}`))
  return signed.href
}

const lark = {
  bytesMax: 16_000,
  // `<at>` would name people in a text.
  body: (text, signed) => ({ ...signed, msg_type: 'text', content: { text: text.replaceAll('<', '＜') } }),
  sign: signLark,
  read: byCode('code', { 19001: 'gone', 19021: 'signature', 19022: 'sender', 19024: 'keyword' }),
} satisfies Omit<Service, 'url'>

/** One code of DingTalk has all refusals of a robot's security settings, in words of either language. */
function readDingtalkSetup(text: string): ChatSetup {
  if (/keyword|关键词/i.test(text)) return 'keyword'
  return /whitelist|白名单/i.test(text) ? 'sender' : 'signature'
}

/** Incoming webhooks, as each service documents them. */
const services = {
  slack: {
    url: /^https:\/\/hooks\.slack\.com\/(services|workflows|triggers)\/[\w/-]+$/,
    bytesMax: 12_000,
    bold: title => `*${title}*`,
    // The three characters that Slack's markup needs escaped: without `<` nobody is mentioned.
    body: text => ({ text: text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') }),
    // action_prohibited; no_service, channel_not_found; channel_is_archived
    read: byStatus({ 403: 'group', 404: 'gone', 410: 'group' }),
  },
  discord: {
    url: /^https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api(?:\/v\d+)?\/webhooks\/\d+\/[\w-]+$/,
    bytesMax: 2_000,
    escape: text => text.replace(/[\\*_~`|>#[\]]/g, '\\$&'),
    bold: title => `**${title}**`,
    body: text => ({ content: text, allowed_mentions: { parse: [] }, flags: 4 }),
    read: byStatus({ 401: 'gone', 403: 'group', 404: 'gone' }),
  },
  feishu: { url: /^https:\/\/open\.feishu\.cn\/open-apis\/bot\/v2\/hook\/[\w-]+$/, ...lark },
  lark: { url: /^https:\/\/open\.larksuite\.com\/open-apis\/bot\/v2\/hook\/[\w-]+$/, ...lark },
  dingtalk: {
    url: /^https:\/\/oapi\.dingtalk\.com\/robot\/send\?access_token=\w+$/,
    bytesMax: 16_000,
    body: text => ({ msgtype: 'text', text: { content: text }, at: { isAtAll: false } }),
    signUrl: signDingtalkUrl,
    // No such token, twice.
    read: byCode('errcode', { 300001: 'gone', 300005: 'gone', 310000: readDingtalkSetup }),
  },
  wecom: {
    url: /^https:\/\/qyapi\.weixin\.qq\.com\/cgi-bin\/webhook\/send\?key=[\w-]+$/,
    bytesMax: 2_000,
    body: text => ({ msgtype: 'text', text: { content: text } }),
    // No such hook; it may not send to this group.
    read: byCode('errcode', { 93000: 'gone', 93008: 'group' }),
  },
} satisfies Record<string, Service>

export type ChatHookKind = keyof typeof services
export const chatHookKinds = Object.keys(services) as ChatHookKind[]

/** Finds the service of a URL, which is on the service's own hosts and in its form; undefined for any other. */
export const findChatHookKind = (url: string): ChatHookKind | undefined =>
  chatHookKinds.find(kind => services[kind].url.test(url))

/** Cuts a text to some bytes of UTF-8, at the end of a character. */
export function cutToBytes(text: string, bytesMax: number): string {
  if (Buffer.byteLength(text) <= bytesMax) return text
  const kept = Buffer.from(text).subarray(0, bytesMax - 3)
  return `${new TextDecoder().decode(kept, { stream: true })}…`
}

/** Sends messages to groups of chats. Never throws. */
export interface ChatPoster {
  post: (hook: ChatHook, message: ChatMessage) => Promise<Delivery>
}

/** Posts as each service documents it, to public addresses only. `clock` gives seconds. */
export const makeChatPoster = (reach: CallbackReach, clock: () => number): ChatPoster => ({
  post: (hook, message) => postToChat(hook, message, { now: clock(), reach }),
})

/** Makes one attempt to send a message to a group. `now` is in seconds, `at` another origin, for tests. */
export async function postToChat(
  { kind, url, secret }: ChatHook,
  message: ChatMessage,
  { now, reach, resolve, at }: { now: number; reach: CallbackReach; resolve?: HostResolver; at?: string },
): Promise<Delivery> {
  const service: Service = services[kind]
  const signed = secret && service.sign ? service.sign(secret, now) : {}
  const to = secret && service.signUrl ? service.signUrl(url, secret, now) : url
  const answer = await sendSafeRequest({
    url: at ? to.replace(/^https:\/\/[^/]+/, at) : to,
    headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Coffer-Message/1' },
    body: JSON.stringify(service.body(joinChatText(message, service), signed)),
    reach,
    allowHttp: at !== undefined,
    resolve,
    timeoutMs: 10_000,
  })
  return service.read(answer)
}
