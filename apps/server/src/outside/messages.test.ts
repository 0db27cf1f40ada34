import assert from 'node:assert/strict'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import { test } from 'node:test'
import { isRefusedForGood, mailProblem, smtpMailer } from './mail.ts'
import { smsMessenger, smsMessengers } from './text-message.ts'

const listening = (server: Server) =>
  new Promise<number>(resolve => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })

const settings = { smtpBackupUrl: '', mailFrom: 'Coffer <no-reply@example.com>', publicUrl: 'https://pay.example.com' }
const mail = { to: 'ann@example.com', subject: 's', text: 't' }

/**
 * A minimal SMTP server (RFC 5321) that records the lines it receives. `refuse` is a command that it rejects with
 * `reply`.
 */
function smtpServer(refuse?: string, reply = '550 no') {
  const received: string[] = []
  const server = createServer(socket => {
    let data = false
    let rest = ''
    socket.write('220 test\r\n')
    socket.on('data', chunk => {
      rest += chunk
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        received.push(line)
        if (data && line !== '.') continue
        if (refuse && line.startsWith(refuse)) socket.write(`${reply}\r\n`)
        else if (line === 'DATA') socket.write('354 go on\r\n')
        else if (line === 'QUIT') socket.end('221 bye\r\n')
        else socket.write('250 ok\r\n')
        data = line === 'DATA'
      }
    })
  })
  return { server, received }
}

test('sends a mail over SMTP to exactly one receiver', async t => {
  const { server, received } = smtpServer()
  t.after(() => server.close())
  const mailer = smtpMailer({ ...settings, smtpUrl: `smtp://127.0.0.1:${await listening(server)}` })
  const subject = '012345 是您的验证码'
  await mailer.send({ to: 'ann@example.com', subject, text: 'Your code\n.\nend', id: 'a1' })
  assert.ok(received.includes('EHLO pay.example.com'), 'the greeting is the host of the public URL')
  assert.ok(received.includes('Message-ID: <a1@pay.example.com>'))
  assert.ok(received.includes('MAIL FROM:<no-reply@example.com>'))
  assert.deepEqual(
    received.filter(line => line.startsWith('RCPT')),
    ['RCPT TO:<ann@example.com>'],
  )
  assert.ok(received.some(line => line.startsWith('Subject: =?UTF-8?')))
  assert.ok(received.includes('..'), 'a line with one dot does not end the mail')
})

test('sends password and mail to another host over TLS only', async t => {
  const { server, received } = smtpServer('STARTTLS')
  t.after(() => server.close())
  // An address of this machine that is not recognised as local.
  const mailer = smtpMailer({ ...settings, smtpUrl: `smtp://user:word@0.0.0.0:${await listening(server)}` })
  await assert.rejects(mailer.send(mail), { code: 'ETLS' })
  assert.ok(received.includes('STARTTLS'))
  assert.ok(!received.some(line => /^(?:AUTH|MAIL|RCPT)/.test(line)))
})

test('rejects when a mail is refused or the server is down', async () => {
  const { server } = smtpServer('RCPT')
  const port = await listening(server)
  const mailer = smtpMailer({ ...settings, smtpUrl: `smtp://127.0.0.1:${port}` })
  await assert.rejects(mailer.send(mail), error => /550 no, at RCPT TO/.test(mailProblem(error)))
  await new Promise(resolve => server.close(resolve))
  await assert.rejects(mailer.send(mail))
})

test('only a mailbox that is not there is refused for good', async t => {
  for (const [command, reply, expected] of [
    ['RCPT', '550 5.1.1 no such user', true],
    ['RCPT', '553 no such mailbox', true],
    ['RCPT', '501 5.1.3 bad recipient address syntax', true],
    ['RCPT', '550 5.7.1 the sender is on a list', false],
    ['RCPT', '554 relay access denied', false],
    ['RCPT', '552 mailbox full', false],
    ['RCPT', '450 try later', false],
    ['RCPT', '421 closing', false],
    ['MAIL', '550 not this sender', false],
    ['DATA', '550 spam', false],
    ['.', '550 spam', false],
  ] as const) {
    const { server } = smtpServer(command, reply)
    t.after(() => server.close())
    const mailer = smtpMailer({ ...settings, smtpUrl: `smtp://127.0.0.1:${await listening(server)}` })
    await assert.rejects(mailer.send(mail), error => isRefusedForGood(error) === expected, `${command}: ${reply}`)
  }
})

test('an address that the mail client takes for none is refused for good, and no other fault of it is', async t => {
  const { server } = smtpServer()
  t.after(() => server.close())
  const port = await listening(server)
  const mailer = smtpMailer({ ...settings, smtpUrl: `smtp://127.0.0.1:${port}` })
  for (const to of ['', ' ', '<>']) await assert.rejects(mailer.send({ ...mail, to }), isRefusedForGood, to)
  const sender = { code: 'EENVELOPE', command: 'API', message: 'Invalid sender "<"' }
  assert.equal(isRefusedForGood(sender), false, 'the operator corrects it')
})

test('the backup server sends what the first does not take, except to a mailbox that is not there', async t => {
  const first = smtpServer('RCPT', '450 later')
  const gone = smtpServer('RCPT', '550 5.1.1 no such user')
  const second = smtpServer()
  for (const { server } of [first, gone, second]) t.after(() => server.close())
  const url = async ({ server }: typeof first) => `smtp://127.0.0.1:${await listening(server)}`
  const smtpUrl = await url(first)
  const goneUrl = await url(gone)
  const smtpBackupUrl = await url(second)
  const recipients = ({ received }: typeof first) => received.filter(line => line.startsWith('RCPT')).length
  const mailer = smtpMailer({ ...settings, smtpUrl, smtpBackupUrl })
  await mailer.send(mail)
  assert.deepEqual([recipients(first), recipients(second)], [1, 1])
  await mailer.send(mail)
  assert.deepEqual([recipients(first), recipients(second)], [1, 2], 'one that failed just now does not go first')
  await assert.rejects(smtpMailer({ ...settings, smtpUrl: goneUrl, smtpBackupUrl }).send(mail), isRefusedForGood)
  assert.equal(recipients(second), 2)
  await assert.rejects(smtpMailer({ ...settings, smtpUrl, smtpBackupUrl: smtpUrl }).send(mail), error => {
    assert.match(mailProblem(error), /450 later.*\n.*450 later/)
    return !isRefusedForGood(error)
  })
})

test('providers get their own form, and what they refuse is an error', async () => {
  const requested: { url: string; auth: string | null; form: object }[] = []
  let answer = () => Response.json({}, { status: 201 })
  const post = (async (url: string, { headers, body }: RequestInit) => {
    const form = Object.fromEntries(body as URLSearchParams)
    requested.push({ url, auth: new Headers(headers).get('authorization'), form })
    return answer()
  }) as typeof fetch
  const message = { to: '+447700900000', text: '012345 是您的验证码' }
  const service = `MG${'0'.repeat(32)}`
  await smsMessenger('twilio://AC1:a%2Fb@api.twilio.com?from=%2B15551234567', post).send(message)
  await smsMessenger(`twilio://AC1:word@example.com:8443?from=${service}`, post).send(message)
  answer = () => Response.json({ messages: [{ status: '0' }] })
  const vonage = smsMessenger('vonage://key:word@rest.nexmo.com?from=Coffer', post)
  await vonage.send(message)
  const path = '/2010-04-01/Accounts/AC1/Messages.json'
  const auth = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  const { to: To, text: Body } = message
  assert.deepEqual(requested, [
    { url: `https://api.twilio.com${path}`, auth: auth('AC1:a/b'), form: { To, From: '+15551234567', Body } },
    {
      url: `https://example.com:8443${path}`,
      auth: auth('AC1:word'),
      form: { To, MessagingServiceSid: service, Body },
    },
    {
      url: 'https://rest.nexmo.com/sms/json',
      auth: null,
      form: { api_key: 'key', api_secret: 'word', from: 'Coffer', to: '447700900000', text: Body, type: 'unicode' },
    },
  ])
  for (const [body, status, what] of [
    [{ messages: [{ status: '0' }, { status: '4', 'error-text': 'Bad Credentials' }] }, 200, /Bad Credentials/],
    [{ messages: [] }, 200, /no message/],
    [{}, 200, /no message/],
    [{}, 401, /401/],
  ] as const) {
    answer = () => Response.json(body, { status })
    await assert.rejects(vonage.send(message), what)
  }
  for (const wrong of [
    'twilio://AC1@api.twilio.com?from=x',
    'vonage://key:word@rest.nexmo.com',
    'twilio://:w@api.twilio.com?from=x',
  ])
    assert.throws(() => smsMessenger(wrong), /missing/)
})

test('posts a text message as JSON and rejects on any answer but 2xx', async t => {
  let status = 200
  const got: unknown[] = []
  const server = createHttpServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    got.push([request.method, request.headers['content-type'], JSON.parse(body)])
    response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end('ok')
  })
  const port = await listening(server)
  t.after(() => server.close())
  const messenger = smsMessenger(`http://127.0.0.1:${port}/send`)
  const message = { to: '+15551234567', text: '012345 is your code.' }
  await messenger.send(message)
  assert.deepEqual(got, [['POST', 'application/json', message]])
  for (const other of [302, 400, 500]) {
    status = other
    await assert.rejects(messenger.send(message))
  }
  assert.equal(got.length, 4, 'a redirect is not followed')
  await assert.rejects(smsMessenger('').send(message), /COFFER_SMS_URL/)
  const smsUrl = `http://127.0.0.1:${port}/send`
  await assert.rejects(smsMessengers({ smsUrl, smsBackupUrl: '' }).send(message), /500/)
  const other = createHttpServer((_request, response) => response.end('ok'))
  const smsBackupUrl = `http://127.0.0.1:${await listening(other)}/send`
  t.after(() => other.close())
  await smsMessengers({ smsUrl, smsBackupUrl }).send(message)
})
