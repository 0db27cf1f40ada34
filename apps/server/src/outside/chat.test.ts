import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import {
  type ChatHook,
  type ChatHookKind,
  chatHookKinds,
  cutToBytes,
  findChatHookKind,
  postToChat,
} from './chat-hooks.ts'
import { openTelegramBot } from './telegram.ts'

interface Answer {
  status?: number
  headers?: Record<string, string>
  body?: unknown
}
interface Got {
  url: string
  body: Record<string, unknown>
}

/** A stand-in that records requests and gives the same answer to all. */
async function standIn(t: TestContext) {
  const got: Got[] = []
  const state = { got, answer: {} as Answer, url: '' }
  const server = createServer(async (request: IncomingMessage, response) => {
    let text = ''
    for await (const part of request) text += part
    got.push({ url: request.url ?? '', body: JSON.parse(text) })
    const { status = 200, headers = {}, body = 'ok' } = state.answer
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  t.after(() => server.close())
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return state
}

const urls: Record<ChatHookKind, string> = {
  slack: 'https://hooks.slack.com/services/T0/B0/abc',
  discord: 'https://discord.com/api/webhooks/1/a-b_c',
  feishu: 'https://open.feishu.cn/open-apis/bot/v2/hook/0-a',
  lark: 'https://open.larksuite.com/open-apis/bot/v2/hook/0-a',
  dingtalk: 'https://oapi.dingtalk.com/robot/send?access_token=0a',
  wecom: 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=0-a',
}
const message = {
  title: 'Paid',
  text: '1 < 2 & <!channel> <at user_id="all">',
  link: 'https://pay.example/m/1',
  notes: '',
}
const now = 1_700_000_000
const reach = { loopback: true, private: [], ports: [] } as unknown as Parameters<typeof postToChat>[2]['reach']

test('an address is of a service only in its form on its own host', () => {
  for (const kind of chatHookKinds) assert.equal(findChatHookKind(urls[kind]), kind)
  for (const url of [
    'http://hooks.slack.com/services/T0/B0/abc',
    'https://hooks.slack.com.evil.example/services/T0/B0/abc',
    'https://hooks.slack.com@evil.example/services/T0',
    'https://hooks.slack.com:8443/services/T0/B0/abc',
    'https://hooks.slack.com/services/../../api/x?y=1',
    'https://evil.example/?https://hooks.slack.com/services/T0/B0/abc',
    ' https://hooks.slack.com/services/T0/B0/abc',
    'https://hooks.slack.com/services/T0/B0/abc\n',
    'https://discord.com/api/webhooks/1/a/../../2',
    'https://oapi.dingtalk.com/robot/send?access_token=0a&x=1',
  ])
    assert.equal(findChatHookKind(url), undefined, url)
})

test('each service gets its own form, names nobody, and is signed where it asks for it', async t => {
  const server = await standIn(t)
  const post = async (kind: ChatHookKind, secret = '') => {
    const hook: ChatHook = { kind, url: urls[kind], secret }
    await postToChat(hook, message, { now, reach, at: server.url })
    return server.got.at(-1)!
  }
  const tail = `\n${message.link}`
  assert.deepEqual((await post('slack')).body, {
    text: `*Paid*\n1 &lt; 2 &amp; &lt;!channel&gt; &lt;at user_id="all"&gt;${tail}`,
  })
  const discord = await post('discord')
  assert.deepEqual([discord.url, discord.body.allowed_mentions], ['/api/webhooks/1/a-b_c', { parse: [] }])
  assert.equal(discord.body.content, `**Paid**\n1 < 2 & <!channel\\> <at user\\_id="all"\\>${tail}`)
  const lark = await post('lark', 'word')
  assert.equal(lark.body.sign, createHmac('sha256', `${now}\nword`).update('').digest('base64'))
  assert.deepEqual(lark.body.content, { text: `Paid\n1 ＜ 2 & ＜!channel> ＜at user_id="all">${tail}` })
  assert.equal((await post('feishu')).body.sign, undefined)
  const dingtalk = new URL((await post('dingtalk', 'word')).url, urls.dingtalk)
  const timestamp = `${now}000`
  assert.deepEqual(Object.fromEntries(dingtalk.searchParams), {
    access_token: '0a',
    timestamp,
    sign: createHmac('sha256', 'word').update(`${timestamp}\nword`).digest('base64'),
  })
  assert.equal((await post('wecom')).url, '/cgi-bin/webhook/send?key=0-a')
})

test('a text that is too long is cut, and what stands below it is not', async t => {
  const server = await standIn(t)
  const notes = 'Time: 30 Nov 2026, 15:04 UTC'
  for (const kind of ['discord', 'wecom'] as const) {
    const long = { ...message, text: '长'.repeat(3_000), notes }
    await postToChat({ kind, url: urls[kind], secret: '' }, long, { now, reach, at: server.url })
    const { body } = server.got.at(-1)!
    const text = String(body.content ?? (body.text as { content: string }).content)
    assert.ok(Buffer.byteLength(text) <= 2_000)
    assert.match(text, /^(\*\*)?Paid(\*\*)?\n长+…\nhttps:\/\/pay\.example\/m\/1\n\nTime: 30 Nov 2026, 15:04 UTC$/)
  }
})

test('an answer says whether it arrived, may be tried again, or never will', async t => {
  const server = await standIn(t)
  const later = 'later'
  const dingtalk = (errmsg: string) => ({ body: { errcode: 310_000, errmsg } })
  const cases: [ChatHookKind, Answer, string, (number | string)?][] = [
    ['slack', { body: 'ok' }, 'accepted'],
    ['slack', { status: 404, body: 'no_service' }, 'refused'],
    ['slack', { status: 410, body: 'channel_is_archived' }, 'refused', 'group'],
    ['slack', { status: 403, body: 'action_prohibited' }, 'refused', 'group'],
    ['slack', { status: 429, headers: { 'retry-after': '30' } }, later, 30],
    ['slack', { status: 500, body: 'rollup_error' }, later],
    ['discord', { status: 204, body: '' }, 'accepted'],
    ['discord', { status: 404, body: { code: 10015, message: 'Unknown Webhook' } }, 'refused'],
    ['discord', { status: 429, headers: { 'retry-after': '0.7' }, body: { retry_after: 0.7 } }, later, 1],
    ['lark', { body: { code: 0, msg: 'success' } }, 'accepted'],
    ['lark', { body: { code: 19_001, msg: 'token invalid' } }, 'refused'],
    ['lark', { body: { code: 19_021, msg: 'sign match fail' } }, 'refused', 'signature'],
    ['lark', { body: { code: 19_022, msg: 'Ip Not Allowed' } }, 'refused', 'sender'],
    ['feishu', { body: { code: 19_024, msg: 'Key Words Not Found' } }, 'refused', 'keyword'],
    ['lark', { body: { code: 11_232, msg: 'frequency limited' } }, later],
    ['feishu', { body: '<html>blocked</html>' }, later],
    ['dingtalk', { body: { errcode: 0, errmsg: 'ok' } }, 'accepted'],
    ['dingtalk', dingtalk('sign not match'), 'refused', 'signature'],
    ['dingtalk', dingtalk('description:机器人发送签名过期;solution:...'), 'refused', 'signature'],
    ['dingtalk', dingtalk('keywords not in content'), 'refused', 'keyword'],
    ['dingtalk', dingtalk('description:关键词不匹配;solution:...'), 'refused', 'keyword'],
    ['dingtalk', dingtalk('ip 203.0.113.7 not in whitelist'), 'refused', 'sender'],
    ['dingtalk', { body: { errcode: 300_005, errmsg: 'token is not exist' } }, 'refused'],
    ['dingtalk', { body: { errcode: 130_101, errmsg: 'send too fast' } }, later],
    ['wecom', { body: { errcode: 93_000, errmsg: 'invalid webhook url' } }, 'refused'],
    ['wecom', { body: { errcode: 45_009, errmsg: 'api freq out of limit' } }, later],
    ['wecom', { body: {} }, later],
    ['wecom', { status: 502 }, later],
  ]
  for (const [kind, answer, result, more] of cases) {
    server.answer = answer
    const found = await postToChat({ kind, url: urls[kind], secret: '' }, message, { now, reach, at: server.url })
    assert.equal(found.result, result, `${kind} ${JSON.stringify(answer)}`)
    if (found.result === 'later') assert.equal(found.retryAfter, more, kind)
    if (found.result === 'refused') assert.equal(found.setup, more, JSON.stringify(answer))
    if (found.result !== 'accepted') assert.doesNotMatch(found.error, /0-a|services/, 'the URL is a secret')
  }
})

test('a long text is cut at the end of a character', () => {
  assert.equal(cutToBytes('收款', 6), '收款')
  assert.equal(cutToBytes('收款收款', 10), '收款…')
  assert.equal(Buffer.byteLength(cutToBytes('a😀😀😀', 9)), 8)
})

test('the bot of Telegram sends, tells what will never arrive, and reads what people write', async t => {
  const server = await standIn(t)
  const bot = openTelegramBot('1:secret', server.url)
  server.answer = { body: { ok: true, result: {} } }
  assert.deepEqual(await bot.send('7', { ...message, button: 'Open' }), { result: 'accepted' })
  const { url, body } = server.got.at(-1)!
  assert.equal(url, '/bot1:secret/sendMessage')
  assert.deepEqual(body, {
    chat_id: '7',
    text: `Paid\n${message.text}`,
    entities: [{ type: 'bold', offset: 0, length: 4 }],
    link_preview_options: { is_disabled: true },
    reply_markup: { inline_keyboard: [[{ text: 'Open', url: message.link }]] },
  })
  const error = (error_code: number, description: string, parameters?: object) => ({
    status: error_code,
    body: { ok: false, error_code, description, ...(parameters && { parameters }) },
  })
  for (const [answer, expected] of [
    [error(403, 'Forbidden: bot was blocked by the user'), { result: 'refused' }],
    [error(400, 'Bad Request: chat not found'), { result: 'refused' }],
    [error(429, 'Too Many Requests: retry after 34', { retry_after: 34 }), { result: 'later', retryAfter: 34 }],
    [error(401, 'Unauthorized'), { result: 'later', retryAfter: undefined }],
    [error(400, 'group chat was upgraded', { migrate_to_chat_id: -100 }), { result: 'later', movedTo: '-100' }],
    [{ status: 502, body: '<html>' }, { result: 'later' }],
  ] as const) {
    server.answer = answer
    const found = await bot.send('7', { ...message, button: 'Open' })
    assert.partialDeepStrictEqual(found, expected)
    assert.doesNotMatch(JSON.stringify(found), /secret/)
  }
  server.answer = error(401, 'Unauthorized')
  await assert.rejects(bot.name(), error => /401/.test(String(error)) && !/secret/.test(String(error)))
  const chat = { id: 7, type: 'private', username: 'ann' }
  server.answer = {
    body: { ok: true, result: [{ update_id: 5, message: { text: '/start c0de', chat } }, { update_id: 6 }] },
  }
  assert.deepEqual(await bot.read(4, new AbortController().signal), [
    { id: 5, text: '/start c0de', chat: { id: '7', name: 'ann', isPrivate: true } },
    { id: 6, text: '' },
  ])
  assert.equal(server.got.at(-1)!.body.offset, 5)
})
