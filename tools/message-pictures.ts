/**
 * `node tools/message-pictures.ts`: shows what each channel sends, made by the code that sends it, in docs/images/:
 * one sheet for each language.
 */
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { EventName } from '@coffer/contract/events.ts'
import { type Language, languageList } from '@coffer/contract/languages.ts'
import { launchBrowser } from '@coffer/local/testing/browser.ts'
import { chatChannel } from '@coffer/server/domains/notifications/channels/chat.ts'
import { mailChannel } from '@coffer/server/domains/notifications/channels/mail.ts'
import { pushChannel } from '@coffer/server/domains/notifications/channels/push.ts'
import { textChannel } from '@coffer/server/domains/notifications/channels/text.ts'
import type { Message, MessageEvent } from '@coffer/server/domains/notifications/message.ts'
import { makeSeal } from '@coffer/server/kit/seal.ts'
import { buildCallbackReach } from '@coffer/server/outside/addresses.ts'
import { type ChatHookKind, chatHookKinds, postToChat } from '@coffer/server/outside/chat-hooks.ts'
import { makePushKeys } from '@coffer/server/outside/push.ts'
import { openTelegramBot } from '@coffer/server/outside/telegram.ts'
import { makeTestDeps } from '@coffer/server/testing/deps.ts'
import sharp from 'sharp'
import { type Column, renderSheet, type Shown } from './message-sheet.ts'

const now = Date.parse('2026-11-30T09:59:41Z') / 1_000
const zone = 'Europe/Berlin'
const shops: Record<Language, string> = { en: 'Blue Harbour', 'zh-CN': '蓝湾商店' }

const order = (n: number) => `A-${1_040 + n}`
const paid = (n: number, amount: string): MessageEvent => ({
  id: `paid-${n}`,
  event: 'payment_paid',
  params: {
    amount,
    token: 'USDT',
    chain: 'Ethereum',
    out_trade_no: order(n),
    trade_no: `2026113010${'0'.repeat(18)}${1_000 + n}`,
  },
  created_at: now - n * 290,
})
const amounts = ['28', '12.5', '40', '9.9', '31.2', '18', '55', '24.4', '16', '42.5', '33', '30']
type Events = Message['events']
const one = (event: EventName, params: Record<string, string>): Events => [
  { id: event, event, params, created_at: now },
]
const origin = { ip: '203.0.113.7', device: 'Firefox, Linux', address: 'unknown' }
const withdrawal = {
  amount: '1200',
  token: 'USDT',
  to: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  id: '9',
  ...origin,
}

/** What each column of the sheet tells of. What is about a person alone comes by text message and to devices. */
const told: Record<'one' | 'several' | 'lost', { shop: Events; person: Events }> = {
  one: { shop: [paid(0, '28')], person: [paid(0, '28')] },
  several: {
    shop: amounts.map((amount, n) => paid(n, amount)).reverse() as unknown as Events,
    person: amounts.map((amount, n) => paid(n, amount)).reverse() as unknown as Events,
  },
  lost: { shop: one('account_withdrawal_requested', withdrawal), person: one('account_new_device', origin) },
}

interface Got {
  headers: Record<string, string | string[] | undefined>
  body: Record<string, unknown>
}

/** A server that takes whatever is posted, as every service would. */
async function openStandIn() {
  const got: Got[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    got.push({ headers: request.headers, body: JSON.parse(text) })
    response.end(JSON.stringify({ ok: true, result: {}, code: 0, errcode: 0 }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { got, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** What stands in for the two rows that channels read: the device, and the chat or system. */
const seal = makeSeal('a secret of 32 characters for pictures')
const keys = makePushKeys()
const rowsOf = (kind: string, language: Language, url: string): Record<string, object> => ({
  'message-device': { endpoint: 'https://push.example/', p256dh: '', auth: '', language },
  'push-keys': {
    ...keys,
    private_key: seal.seal(keys.private_key, { column: 'push_keys.private_key', row: keys.public_key }),
  },
  'message-channel': {
    id: 'c',
    kind,
    name: '',
    address: seal.seal(url, { column: 'message_channels.address', row: 'c' }),
    secret: seal.seal('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', { column: 'message_channels.secret', row: 'c' }),
    language,
    refused: '',
    error: '',
  },
})

const standIn = await openStandIn()

/** Sends a message by a channel, and returns what arrived. */
async function deliver(way: string, message: Message): Promise<Shown> {
  const { language } = message
  const rows = rowsOf(way, language, way === 'hook' ? standIn.url : 'x')
  const pool = { query: async ({ name }: { name: string }) => ({ rows: [rows[name]].filter(Boolean), rowCount: 1 }) }
  const config = { publicUrl: 'https://pay.example.com', mode: 'sandbox', callbackHttp: 'allow' } as const
  const base = makeTestDeps({ pool: pool as never, config, seal, clock: () => now })
  const reach = buildCallbackReach(base.config)
  const deps = {
    ...base,
    telegram: openTelegramBot('1:token', standIn.url),
    chat: {
      post: (hook: Parameters<typeof postToChat>[0], given: Parameters<typeof postToChat>[1]) =>
        postToChat({ ...hook, url: urls[hook.kind] }, given, { now, reach, at: standIn.url }),
    },
  }
  const channel = { mail: mailChannel, text: textChannel, push: pushChannel }[way] ?? chatChannel
  standIn.got.length = 0
  const outcome = await channel.attempt(deps, message)
  if (outcome.result !== 'accepted') throw new Error(`${way}: ${JSON.stringify(outcome)}`)
  const [mail] = base.mails
  const [text] = base.texts
  const [push] = base.pushes
  if (mail) return { way, title: mail.subject, text: mail.text }
  if (text) return { way, title: '', text: text.text }
  if (push) {
    const { title, body } = JSON.parse(push.payload)
    return { way, title, text: body }
  }
  const [{ body, headers } = { body: {}, headers: {} }] = standIn.got
  return { way, title: '', ...readPosted(way, body, headers) }
}

const urls: Record<ChatHookKind, string> = {
  slack: 'https://hooks.slack.com/services/T0/B0/x',
  discord: 'https://discord.com/api/webhooks/1/x',
  feishu: 'https://open.feishu.cn/open-apis/bot/v2/hook/x',
  lark: 'https://open.larksuite.com/open-apis/bot/v2/hook/x',
  dingtalk: 'https://oapi.dingtalk.com/robot/send?access_token=0',
  wecom: 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=0',
}

/** The text that a service shows of what was posted to it, and the button below. */
function readPosted(
  way: string,
  body: Record<string, unknown>,
  headers: Got['headers'],
): Omit<Shown, 'way' | 'title'> & { title?: string } {
  if (way === 'hook') {
    const signature = String(headers['webhook-signature']).slice(0, 20)
    return {
      text: `webhook-id: ${headers['webhook-id']}\nwebhook-signature: ${signature}…\n\n${JSON.stringify(body, null, 2)}`,
    }
  }
  if (way === 'telegram') {
    const [bold] = body.entities as [{ length: number }]
    const title = String(body.text).slice(0, bold.length)
    const { inline_keyboard: [[button]] = [[]] } = (body.reply_markup ?? {}) as {
      inline_keyboard?: [[{ text: string }]]
    }
    return { title, text: String(body.text).slice(bold.length + 1), ...(button && { button: button.text }) }
  }
  const { content } = (body.content ?? body.text ?? {}) as { content?: string; text?: string }
  const posted = String(content ?? (body.content as { text?: string })?.text ?? body.content ?? body.text)
  // As the service shows it: without the marks of bold, and what is escaped as itself.
  const plain = posted.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&').replace(/\\(.)/g, '$1')
  const [, title] = /^\*{1,2}(.+?)\*{1,2}\n/.exec(plain) ?? []
  return title ? { title, text: plain.slice(plain.indexOf('\n') + 1) } : { text: plain }
}

const ways = ['mail', 'text', 'push', 'telegram', ...chatHookKinds.filter(kind => kind !== 'lark'), 'hook']

/** All messages of a language: for each channel, those of each column that it has. */
async function messagesIn(language: Language): Promise<Column[]> {
  const columns: Column[] = []
  for (const name of Object.keys(told) as (keyof typeof told)[]) {
    const shown: Shown[] = []
    for (const way of ways) {
      // Text messages are for what may cost money, and a system gets each event alone.
      if ((way === 'text' && name !== 'lost') || (way === 'hook' && name === 'several')) continue
      const events = told[name][way === 'text' || way === 'push' ? 'person' : 'shop']
      const reader = { person_id: 'p', address: way === 'mail' ? 'ann@example.com' : 'c', language, time_zone: zone }
      const at = { id: '01a22c43', realm: 'shop', shop: shops[language], role: 'owner' } as const
      shown.push(await deliver(way, { ...reader, ...at, events }))
    }
    columns.push({ name, shown })
  }
  return columns
}

const browser = await launchBrowser()
try {
  for (const language of languageList) {
    const page = await browser.newPage({
      viewport: { width: 1_400, height: 800 },
      locale: language,
      reducedMotion: 'reduce',
    })
    await page.setContent(renderSheet(language, await messagesIn(language)))
    const file = new URL(`../docs/images/messages-${language}.png`, import.meta.url).pathname
    const picture = await page.screenshot({ fullPage: true })
    await sharp(picture).png({ palette: true, colours: 48, effort: 10 }).toFile(file)
    console.log(`${file}: ${Math.ceil(statSync(file).size / 1_000)} kB`)
  }
} finally {
  await browser.close()
  standIn.server.closeAllConnections()
  standIn.server.close()
}
