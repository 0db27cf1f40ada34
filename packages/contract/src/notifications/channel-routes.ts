import { z } from 'zod'
import { defineRoutes } from '../kit/route.ts'
import { emptyObject, id, proof, requiredLine, unixSeconds, url } from '../kit/schemas.ts'

/** Ways to get messages besides the list, mails and devices. Groups of a chat are told apart by their URL. */
export const messageChannelKinds = [
  'telegram',
  'slack',
  'discord',
  'feishu',
  'lark',
  'dingtalk',
  'wecom',
  'hook',
] as const
export type MessageChannelKind = (typeof messageChannelKinds)[number]

const name = requiredLine(40)

/** Chats and systems that get a member's messages. */
export const messageChannelRoutes = defineRoutes({
  'GET /api/v1/message/channel': {
    who: 'oneself',
    summary: 'List the chats and systems that get your messages of this shop',
    data: z.object({
      list: z.array(
        z.object({
          id: z.string(),
          kind: z.enum(messageChannelKinds),
          name: z.string(),
          linked: z.boolean().describe('False while a chat of Telegram was not opened yet'),
          created_time: unixSeconds,
          last_time: unixSeconds.describe('When a message last arrived; 0: never'),
          error: z.string().describe('Why the last one did not arrive; empty: it did'),
          advice: z
            .string()
            .describe(
              'What to do where its set-up refuses messages; nothing is sent until a test succeeds. Empty: nothing',
            ),
        }),
      ),
      telegram: z.boolean().describe('Whether this installation has a bot of Telegram'),
    }),
  },
  'POST /api/v1/message/channel': {
    who: 'oneself',
    summary:
      'Send your messages to a group of a chat, or to a system. A URL of Slack, Discord, Feishu, Lark, DingTalk or WeCom gets the form of that service',
    body: z.strictObject({
      name,
      url: url.max(500),
      secret: z.string().max(200).default('').describe('Of a chat that asks for signed requests'),
      proof,
    }),
    data: z.object({
      id: z.string(),
      kind: z.enum(messageChannelKinds),
      secret: z.string().describe('Signs what a system gets, as with webhooks; it is shown once. Empty for chats'),
    }),
  },
  'POST /api/v1/message/channel/telegram': {
    who: 'oneself',
    summary: 'Make a link that opens a chat with the bot of Telegram, which then gets your messages. It works once',
    body: z.strictObject({ proof }),
    data: z.object({ id: z.string(), link: z.string(), expire_time: unixSeconds }),
  },
  'POST /api/v1/message/channel/test': {
    who: 'oneself',
    summary: 'Send a test message, and say how that ended',
    body: z.strictObject({ id }),
    data: z.object({ ok: z.boolean(), error: z.string().describe('Why not, and what to do where that is known') }),
  },
  'DELETE /api/v1/message/channel': {
    who: 'oneself',
    summary: 'Send no more messages to a chat or system',
    query: z.strictObject({ id }),
    data: emptyObject,
  },
})
