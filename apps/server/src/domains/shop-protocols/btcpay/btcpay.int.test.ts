import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { shopWorld } from '../../../testing/shop-world.ts'
import { renewShopKey } from '../connect.ts'

const refunds = 'cancreatenonapprovedpullpayments'
const { app, deps, owner, receiver, next, store, deliver, payOrder, proved } = await shopWorld({ after })

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

test('a shop makes its webhook, lists its deliveries and has one sent again', async () => {
  const { id, key, api, invoice } = await store()
  assert.deepEqual((await api('GET', 'webhooks')).data, [])
  assert.equal((await api('GET', `webhooks/${id}`)).status, 404)
  const events = { everything: false, specificEvents: ['InvoiceExpired', 'InvoiceSettled'] }
  const made = (await api('POST', 'webhooks', { url: receiver.url, authorizedEvents: events })).data
  assert.deepEqual([made.id, made.url, made.authorizedEvents.specificEvents], [id, receiver.url, ['InvoiceSettled']])
  assert.ok(made.secret.length >= 32 && made.secret !== key)
  assert.equal((await api('GET', `webhooks/${id}`)).data.secret, undefined, 'shown once')

  const { id: number } = await invoice()
  await payOrder(number)
  const signedBy = ({ body, headers }: { body: string; headers: Record<string, unknown> }, secret: string) =>
    headers['btcpay-sig'] === `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  const [sent] = await deliver()
  assert.ok(signedBy(sent!, made.secret) && !signedBy(sent!, key))

  const own = 'a secret'.padEnd(16, '!').replace(' ', '-')
  const { data: changed } = await api('PUT', `webhooks/${id}`, { url: receiver.url, secret: own, enabled: true })
  assert.deepEqual([changed.url, changed.secret], [receiver.url, undefined])
  await api('PUT', `webhooks/${id}`, { url: receiver.url, secret: null })
  const deliveries = `webhooks/${id}/deliveries`
  const [delivery, ...others] = (await api('GET', `${deliveries}?count=5`)).data
  assert.deepEqual([delivery.status, delivery.httpCode, others], ['HttpSuccess', 200, []])
  assert.deepEqual((await api('GET', `${deliveries}/${delivery.id}`)).data, delivery)
  assert.equal((await api('GET', `${deliveries}/${delivery.id}/request`)).data.invoiceId, number)
  assert.equal((await api('POST', `${deliveries}/${delivery.id}/redeliver`)).data, delivery.id)
  const [again] = await deliver()
  assert.ok(signedBy(again!, own), 'a secret that is not named stays')
  assert.equal(JSON.parse(again!.body).deliveryId, delivery.id)

  const other = await store({ notify_url: receiver.url })
  const theirs = `webhooks/${other.id}/deliveries`
  assert.deepEqual((await other.api('GET', theirs)).data, [])
  assert.equal((await other.api('POST', `${theirs}/${delivery.id}/redeliver`)).status, 404)
  const stranger = await other.api('PUT', `/api/v1/stores/${id}/webhooks/${id}`, { url: receiver.url })
  assert.equal(stranger.status, 403)
  assert.match(stranger.data.message, /another store/)

  await api('DELETE', `webhooks/${id}`)
  assert.deepEqual((await api('GET', 'webhooks')).data, [])
  const refused = await api('POST', 'invoices', { amount: '1', currency: 'CNY' })
  assert.deepEqual([refused.status, refused.data[0].path], [422, 'webhook'])
  const stored = (await owner.query('select webhook_secret from shop_connections where id = $1', [id])).rows[0]
  assert.doesNotMatch(stored.webhook_secret, /secret/)
})

test('a plugin that registers its webhook again gets one callback for each invoice', async () => {
  const { id, key, api, invoice } = await store()
  const body = { url: receiver.url, authorizedEvents: { everything: true } }
  const secrets: string[] = []
  const register = async () => secrets.push((await api('POST', 'webhooks', body)).data.secret)
  const ids = async () => (await api('GET', 'webhooks')).data.map((each: { id: string }) => each.id)
  await register()
  const { id: number } = await invoice()
  await register()
  assert.equal((await api('PUT', `webhooks/${id}`, body)).status, 200)
  assert.deepEqual(await ids(), [id], 'created twice and updated')
  await api('DELETE', `webhooks/${id}`)
  await Promise.all([register(), register()])
  assert.deepEqual(await ids(), [id], 'deleted, and created twice at once')
  await payOrder(number)
  await payOrder((await invoice()).id)
  const sent = await deliver()
  const reported = sent.map(each => JSON.parse(each.body).invoiceId)
  assert.deepEqual([reported.length, new Set(reported).size], [2, 2])
  for (const each of sent) {
    const signed = [key, ...secrets].filter(
      by => each.headers['btcpay-sig'] === `sha256=${createHmac('sha256', by).update(each.body).digest('hex')}`,
    )
    assert.ok(signed.length === 1 && secrets.slice(2).includes(signed[0]!), 'signed with a secret made last')
  }
  assert.deepEqual(await deliver(), [], 'nothing else is due')
})

test('a webhook that would not be called as asked is refused', async () => {
  const { api } = await store()
  for (const [what, body] of [
    ['no URL', {}],
    ['a script', { url: 'javascript:1' }],
    ['an internal address', { url: 'http://169.254.169.254/' }],
    ['a secret that can be guessed', { url: receiver.url, secret: 'secret' }],
    ['a secret with a line break', { url: receiver.url, secret: `${'x'.repeat(20)}\n` }],
    ['switched off', { url: receiver.url, enabled: false }],
    ['other events only', { url: receiver.url, authorizedEvents: { specificEvents: ['InvoiceExpired'] } }],
  ] as const) {
    const { status, data } = await api('POST', 'webhooks', body)
    assert.ok(status === 422 && data[0].message.length > 0, `${what}: ${status} ${JSON.stringify(data)}`)
  }
  assert.deepEqual((await api('GET', 'webhooks')).data, [])
})

test('the key has the permissions that plugins want, of one store', async () => {
  const { id, api } = await store()
  const { permissions } = (await api('GET', '/api/v1/api-keys/current')).data
  const wanted = ['canviewinvoices', 'cancreateinvoice', 'canviewstoresettings', 'canmodifyinvoices']
  assert.deepEqual(
    permissions,
    [...wanted, 'webhooks.canmodifywebhooks'].map(each => `btcpay.store.${each}:${id}`),
  )
})

test('a plugin gets the permissions that it asks for and no others, and the webhook that it made', async () => {
  const asks = ['canmodifystoresettings', 'canviewinvoices', 'canmodifyserversettings'].map(
    each => `btcpay.${each === 'canmodifyserversettings' ? 'server' : 'store'}.${each}`,
  )
  const { id, api } = await store({ permissions: asks })
  assert.deepEqual((await api('GET', '/api/v1/api-keys/current')).data.permissions, [
    `btcpay.store.canviewinvoices:${id}`,
    `btcpay.store.canmodifystoresettings:${id}`,
  ])
  assert.deepEqual((await app.inject('/api/v1/health')).json(), { synchronized: true })
  // Without events, as with all of them, it is for everything; what is sent stays the same.
  for (const authorizedEvents of [undefined, { everything: true }]) {
    await api('POST', 'webhooks', { url: receiver.url, ...(authorizedEvents && { authorizedEvents }) })
    const [webhook] = (await api('GET', 'webhooks')).data
    assert.deepEqual(webhook.authorizedEvents, { everything: true, specificEvents: [] })
  }
  await payOrder((await api('POST', 'invoices', { amount: '10', currency: 'CNY' })).data.id, 500_000n)
  assert.deepEqual(await deliver(), [])
  await api('PUT', `webhooks/${id}`, { url: receiver.url, authorizedEvents: { specificEvents: ['InvoiceSettled'] } })
  assert.equal((await api('GET', `webhooks/${id}`)).data.authorizedEvents.everything, false)
})

test('each call needs its permission, or one that includes it', async () => {
  const full = await store({ notify_url: receiver.url })
  const { id: number } = await full.invoice()
  const webhook = (id: string) => `webhooks/${id}`
  const calls: [needed: string, method: Method, path: (id: string) => string, body?: object][] = [
    ['canviewstoresettings', 'GET', () => '/api/v1/stores'],
    ['canviewstoresettings', 'GET', id => `/api/v1/stores/${id}`],
    ['canviewstoresettings', 'GET', () => 'payment-methods'],
    ['canviewinvoices', 'GET', () => 'invoices'],
    ['canviewinvoices', 'GET', () => `invoices/${number}`],
    ['canviewinvoices', 'GET', () => `invoices/${number}/payment-methods`],
    ['cancreateinvoice', 'POST', () => 'invoices', { amount: '10', currency: 'CNY' }],
    ['canmodifyinvoices', 'PUT', () => `invoices/${number}`, { metadata: {} }],
    ['canmodifyinvoices', 'POST', () => `invoices/${number}/status`, { status: 'Invalid' }],
    ['canmodifyinvoices', 'DELETE', () => `invoices/${number}`],
    ['canmodifyinvoices', 'POST', () => `invoices/${number}/unarchive`],
    [refunds, 'POST', () => `invoices/${number}/refund`, { refundVariant: 'RateThen' }],
    [refunds, 'POST', () => 'pull-payments', { name: 'order 1', amount: '1', currency: 'CNY' }],
    [refunds, 'GET', () => `/api/v1/pull-payments/${number}`],
    ['webhooks.canmodifywebhooks', 'GET', () => 'webhooks'],
    ['webhooks.canmodifywebhooks', 'POST', () => 'webhooks', { url: receiver.url }],
    ['webhooks.canmodifywebhooks', 'GET', webhook],
    ['webhooks.canmodifywebhooks', 'PUT', webhook, { url: receiver.url }],
    ['webhooks.canmodifywebhooks', 'GET', id => `${webhook(id)}/deliveries`],
    ['webhooks.canmodifywebhooks', 'GET', id => `${webhook(id)}/deliveries/1`],
    ['webhooks.canmodifywebhooks', 'GET', id => `${webhook(id)}/deliveries/1/request`],
    ['webhooks.canmodifywebhooks', 'POST', id => `${webhook(id)}/deliveries/1/redeliver`],
    ['webhooks.canmodifywebhooks', 'DELETE', webhook],
  ]
  const gives: Record<string, string[]> = {
    canviewinvoices: ['canviewinvoices'],
    cancreateinvoice: ['cancreateinvoice'],
    canmodifyinvoices: ['canmodifyinvoices', 'canviewinvoices', 'cancreateinvoice'],
    canviewstoresettings: ['canviewstoresettings', 'canviewinvoices'],
    'webhooks.canmodifywebhooks': ['webhooks.canmodifywebhooks'],
    [refunds]: [refunds],
    canmodifystoresettings: [...new Set(calls.map(([needed]) => needed))].filter(each => each !== refunds),
  }
  for (const [permission, given] of Object.entries(gives)) {
    const { id, api } = await store({ notify_url: receiver.url, permissions: [`btcpay.store.${permission}`] })
    for (const [needed, method, path, body] of calls) {
      const { status, data } = await api(method, path(id), body)
      const what = `${permission}: ${method} ${path(id)}`
      if (given.includes(needed)) assert.equal(data.missingPermission, undefined, what)
      else
        assert.deepEqual(
          [status, data.code, data.missingPermission],
          [403, 'missing-permission', `btcpay.store.${needed}`],
          what,
        )
    }
    assert.equal((await api('GET', '/api/v1/server/info')).status, 200)
    assert.equal((await api('DELETE', '/api/v1/api-keys/current')).status, 200)
    assert.equal((await api('GET', 'invoices')).status, 401, 'a key that was ended')
  }
  assert.equal((await full.api('GET', `invoices/${number}`)).data.status, 'New', 'no other store changed it')
})

test('a plugin reads what it asked for, when money came, and its payer returns with the id of the invoice', async () => {
  const { api } = await store({ notify_url: receiver.url })
  const redirectURL = 'https://shop.example/back/{InvoiceId}?order={OrderId}&hash=1'
  const checkout = { redirectURL, redirectAutomatically: true, paymentMethods: ['USDT-eth', 'BTC-CHAIN'] }
  const body = { amount: '10', currency: 'CNY', metadata: { orderId: 'A 1' }, checkout }
  const made = (await api('POST', 'invoices', body)).data
  assert.deepEqual(made.checkout, checkout)
  const plain = { ...body, metadata: { orderId: next() }, checkout: { paymentMethods: null } }
  assert.deepEqual((await api('POST', 'invoices', plain)).data.checkout, { redirectURL: null, paymentMethods: [] })
  assert.equal((await api('POST', 'invoices', body)).data.id, made.id)
  const { return_url } = (await owner.query('select return_url from payments where trade_no = $1', [made.id])).rows[0]
  const back = (url: string) => app.inject(url.replace(deps.config.publicUrl, ''))
  assert.equal((await back(return_url)).headers.location, `https://shop.example/back/${made.id}?order=A%201&hash=1`)
  const elsewhere = await back(return_url.replace(/code=[^&]+/, 'code=x'))
  assert.equal(elsewhere.headers.location, deps.config.publicUrl)
  await payOrder(made.id)
  await deliver()
  const [method] = (await api('GET', `invoices/${made.id}/payment-methods`)).data
  assert.equal(method.payments[0].receivedDate, deps.clock())
  for (const bad of ['javascript:{InvoiceId}', 'https://user@shop.example/{InvoiceId}'])
    assert.equal((await api('POST', 'invoices', { ...body, checkout: { redirectURL: bad } })).status, 422)
})

test('a call that is not served is refused as BTCPay refuses it', async () => {
  const { id, api } = await store()
  for (const [method, path] of [
    ['GET', 'users'],
    ['POST', 'lightning/BTC/connect'],
    ['DELETE', 'users/1'],
    ['PUT', `/api/v1/stores/${id}`],
    ['DELETE', '/api/v1/pull-payments/1'],
  ] as const)
    assert.deepEqual(await api(method, path), { status: 404, data: { code: 'not-found', message: 'Not found' } }, path)
})

test('a shop marks an unpaid invoice as invalid, and none as settled', async () => {
  const { api, invoice } = await store({ notify_url: receiver.url })
  const orderId = next()
  const { id } = await invoice(orderId)
  const mark = (number: string, status: unknown) => api('POST', `invoices/${number}/status`, { status })
  for (const status of ['Settled', 'settled', 'Paid', 1, undefined]) assert.equal((await mark(id, status)).status, 422)
  assert.equal((await api('GET', `invoices/${id}`)).data.status, 'New')
  const other = await store()
  assert.equal((await other.api('POST', `invoices/${id}/status`, { status: 'Invalid' })).status, 404)
  const marked = await mark(id, 'Invalid')
  assert.deepEqual([marked.status, marked.data.status, marked.data.additionalStatus], [200, 'Invalid', 'Marked'])
  assert.equal((await mark(id, 'Invalid')).status, 200)
  const again = await invoice(orderId)
  assert.notEqual(again.id, id, 'the order number gets another invoice')
  await payOrder(again.id)
  assert.equal((await mark(again.id, 'Invalid')).status, 422)
  assert.equal((await deliver()).length, 1)
  assert.equal((await api('GET', `invoices/${again.id}`)).data.status, 'Settled')
})

test('a shop archives invoices, which its lists leave out unless asked for', async () => {
  const { api, invoice } = await store({ notify_url: receiver.url })
  const other = await store({ notify_url: receiver.url })
  const first = await invoice('Z-1')
  const second = await invoice('Z-2')
  assert.equal(first.archived, false)
  assert.equal((await other.api('DELETE', `invoices/${first.id}`)).data.code, 'invoice-not-found')
  for (let times = 0; times < 2; times++) assert.equal((await api('DELETE', `invoices/${first.id}`)).status, 200)
  assert.equal((await api('GET', `invoices/${first.id}`)).data.archived, true)
  const listed = async (query = '') =>
    (await api('GET', `invoices${query}`)).data.map((each: { id: string }) => each.id)
  const both = [first.id, second.id].sort()
  for (const [query, expected] of [
    ['', [second.id]],
    ['?includeArchived=false', [second.id]],
    ['?includeArchived=true', both],
    ['?take=1&skip=1', []],
    ['?orderId=Z-1', []],
    ['?orderId=Z-1&includeArchived=true', [first.id]],
    [`?textSearch=${first.id}&includeArchived=True`, [first.id]],
  ] as const)
    assert.deepEqual((await listed(query)).sort(), expected, query)
  assert.equal((await api('GET', 'invoices?includeArchived=maybe')).data[0].path, 'includeArchived')

  await payOrder(first.id)
  assert.equal((await deliver()).length, 1, 'what is archived is still paid and reported')
  const back = await api('POST', `invoices/${first.id}/unarchive`)
  assert.deepEqual([back.status, back.data.id, back.data.archived, back.data.status], [200, first.id, false, 'Settled'])
  const again = await api('POST', `invoices/${first.id}/unarchive`)
  assert.deepEqual([again.status, again.data.code], [400, 'already-unarchived'])
  await api('DELETE', `invoices/${second.id}`)
  assert.deepEqual([(await invoice('Z-2')).id, (await listed()).sort()], [second.id, both], 'an order in use is listed')
})

test('a shop lists its own invoices, changes metadata, and reads what can be paid', async () => {
  const { id, api, invoice } = await store({ notify_url: receiver.url })
  const other = await store({ notify_url: receiver.url })
  await other.invoice()
  const first = await invoice('A-1')
  const second = await invoice('A-2')
  await api('POST', `invoices/${first.id}/status`, { status: 'Invalid' })
  const again = await invoice('A-1')
  const listed = async (query = '') =>
    (await api('GET', `invoices${query}`)).data.map((each: { id: string }) => each.id)
  assert.deepEqual((await listed()).sort(), [first.id, second.id, again.id].sort())
  assert.deepEqual(await listed('?orderId=A-1&orderId=A-9'), [again.id, first.id])
  assert.deepEqual(await listed('?status=Invalid'), [first.id])
  assert.deepEqual(await listed(`?textSearch=${second.id}`), [second.id])
  assert.deepEqual(await listed('?endDate=1'), [])
  assert.equal((await listed('?take=1&skip=1')).length, 1)
  for (const query of ['?take=0', '?skip=-1', '?skip=10001', '?startDate=x'])
    assert.equal((await api('GET', `invoices${query}`)).status, 422)

  const changed = await api('PUT', `invoices/${second.id}`, { metadata: { orderId: 'B', note: '\u2603' } })
  assert.deepEqual(changed.data.metadata, { orderId: 'A-2', note: '\u2603' })
  assert.equal((await other.api('PUT', `invoices/${second.id}`, { metadata: {} })).status, 404)
  assert.equal((await api('PUT', `invoices/${second.id}`, { metadata: { x: 'y'.repeat(20_000) } })).status, 422)

  assert.deepEqual((await api('GET', '/api/v1/stores')).data, [{ id, name: id, website: '', defaultCurrency: 'USD' }])
  const methods: { paymentMethodId: string }[] = (await api('GET', 'payment-methods')).data
  const method = methods.find(each => each.paymentMethodId.startsWith('USDT-'))!
  const paymentMethods = [method.paymentMethodId.replace('-', '_')]
  const body = { amount: '3', currency: 'CNY', metadata: { orderId: 'C' }, checkout: { paymentMethods } }
  const fixed = (await api('POST', 'invoices', body)).data
  assert.equal(
    (await api('GET', `invoices/${fixed.id}/payment-methods`)).data[0].paymentMethodId,
    method.paymentMethodId,
  )
  const checkout = await app.inject({ method: 'GET', url: `/i/${fixed.id}` })
  assert.deepEqual([checkout.statusCode, checkout.headers.location], [302, `/pay/${fixed.id}`])
  const outside = await app.inject({ method: 'GET', url: '/i/%2F%2Fevil.example' })
  assert.equal(outside.headers.location, '/pay/%2F%2Fevil.example')

  const script = await app.inject({ method: 'GET', url: '/modal/btcpay.js' })
  assert.equal(script.headers['cross-origin-resource-policy'], 'cross-origin', 'pages of shops may load it')
  const went: string[] = []
  const page = {
    URL,
    encodeURIComponent,
    fetch: () => Promise.reject(new TypeError('CORS')),
    document: { currentScript: { src: 'https://pay.example/modal/btcpay.js' }, addEventListener: () => {} },
    location: { origin: 'https://shop.example', assign: (url: string) => went.push(url) },
    window: {} as { btcpay?: { showInvoice: (id: string) => Promise<void> } },
  }
  runInNewContext(script.body, page)
  await page.window.btcpay!.showInvoice(fixed.id)
  await assert.rejects(page.window.btcpay!.showInvoice('//evil.example'), { name: 'TypeError' })
  // The server does not let this page frame the checkout.
  assert.deepEqual(went, [`https://pay.example/pay/${fixed.id}`])
})

test('a shop ends its own key: the replaced one alone, the current one with the connection', async () => {
  const { id, key: old, api, appid } = await store({ notify_url: receiver.url })
  const { key } = await renewShopKey(deps, { ...(await proved()), id, keepSeconds: 86_400 })
  const by = (token: string, method: 'GET' | 'DELETE') =>
    app.inject({ method, url: '/api/v1/api-keys/current', headers: { authorization: `token ${token}` } })
  await api('PUT', `webhooks/${id}`, { url: `${receiver.url}/elsewhere` })
  assert.equal((await by(old, 'DELETE')).statusCode, 200)
  assert.deepEqual([(await by(old, 'GET')).statusCode, (await by(key, 'GET')).statusCode], [401, 200])
  await by(key, 'DELETE')
  assert.equal((await by(key, 'GET')).statusCode, 401)
  const { rows } = await owner.query('select type, subject from audit_log where subject like $1 order by seq', [
    `%${id}`,
  ])
  assert.deepEqual(
    rows.map(row => row.type),
    ['shop_connected', 'shop_key_renewed', 'shop_webhook_changed', 'shop_disconnected'],
  )
  assert.equal(rows[2].subject, `${appid} ${id}`)
  await deps.delivered()
  assert.match(deps.mails.map(each => each.subject).join(), /changed its callback address/)
})

test('a shop that asks for a key leads to the page that shows it, and only where a key may go', async () => {
  const authorize = async (query: string) => app.inject({ method: 'GET', url: `/api-keys/authorize?${query}` })
  const wanted = 'permissions=btcpay.store.canviewinvoices&permissions=btcpay.store.cancreateinvoice:Any'
  const back = 'redirect=https%3A%2F%2Fshop.example%2F%3Fbtcpay-settings-callback'
  const { statusCode, headers } = await authorize(`${wanted}&applicationName=Woo%E2%80%AECommerce&strict=true&${back}`)
  const to = new URL(String(headers.location), 'https://coffer.example')
  assert.deepEqual([statusCode, to.pathname], [302, '/connectShop'])
  assert.deepEqual(Object.fromEntries(to.searchParams), {
    name: 'WooCommerce',
    redirect: 'https://shop.example/?btcpay-settings-callback',
    permissions: 'btcpay.store.canviewinvoices,btcpay.store.cancreateinvoice',
  })
  for (const evil of [
    'redirect=javascript:alert(1)',
    'redirect=https://user@shop.example',
    'redirect=//shop.example',
    'permissions=%3Cscript%3E',
    `permissions=${'a'.repeat(100)}`,
    `applicationName=${'a'.repeat(300)}`,
  ]) {
    const answer = await authorize(evil)
    assert.ok(answer.statusCode >= 400 && answer.statusCode < 500, `${evil}: ${answer.statusCode}`)
    assert.match(String(answer.headers['content-type']), /text\/html/)
  }
})
