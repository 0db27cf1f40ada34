import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { chainAdapters } from '@coffer/chains'
import { depositWebhook } from '@coffer/contract/callbacks/webhooks.ts'
import { makeApp } from '../../serve.ts'
import { breakOnce } from '../../testing/break.ts'
import { call } from '../../testing/call.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { ownerReader, testApplication, testMerchant } from '../../testing/merchants.ts'
import { bsc, eth, moneyWorld, rowsOf } from '../../testing/money.ts'
import { recording } from '../../testing/recording.ts'
import { refusedUnlessOpen } from '../../testing/standing.ts'
import { assignFixedAddress, createApplicationAddress } from '../addresses/assign-address.ts'
import { addressHandlers } from '../addresses/routes.ts'
import { listFixedAddresses } from '../addresses/store.ts'
import { changeApplication } from '../applications/store.ts'
import { applyBlocks } from '../deposits/apply-blocks.ts'
import { undoDeposit } from '../deposits/undo-deposit.ts'
import rechargeExport from './export.ts'
import { presentDeposit } from './present.ts'
import { listRecharges } from './store.ts'

const world = await moneyWorld({ after })
const { deps, owner, merchant, appid } = world
const usdt = 1_000_000n

const create = (reference: string, chainId = eth.id, of = { merchantId: merchant.id, appid }) =>
  createApplicationAddress(deps, { ...of, reference, chainId })
const eventsOf = async (reference: string) => {
  const rows = await rowsOf(owner, `select * from callbacks where event like 'deposit.%' order by id`)
  const reported = rows.map(row => ({ row, body: depositWebhook.parse(JSON.parse(row.body)) }))
  return reported.filter(each => each.body.data.reference === reference)
}
const addressRows = async () => (await rowsOf(owner, 'select * from deposit_addresses')).length

test('the same reference and chain have one address, chains of a kind share it, and others have others', async () => {
  const first = await create('customer-1')
  assert.deepEqual([first.reference, first.appid, first.tokens], ['customer-1', appid, ['USDC', 'USDT']])
  assert.deepEqual(await create('customer-1'), first)
  const count = await addressRows()
  const second = await create('customer-1', bsc.id)
  assert.equal(second.address, first.address)
  assert.notEqual(second.id, first.id)
  assert.equal(await addressRows(), count)
  const other = await testApplication(deps, merchant.id)
  const stranger = await testMerchant(deps)
  const strange = await testApplication(deps, stranger.id)
  const addresses = [
    first,
    await create('customer-2'),
    await create('customer-1', eth.id, { merchantId: merchant.id, appid: other.appid }),
    await create('customer-1', eth.id, { merchantId: stranger.id, appid: strange.appid }),
    await assignFixedAddress(deps, merchant.id, eth.id),
  ].map(each => each.address)
  assert.equal(new Set(addresses).size, addresses.length)
  await assert.rejects(create('customer-3', 'none'), { reason: 'currency_not_exist', field: 'chain' })
})

test('two requests at once make one address, and a crash makes none', async () => {
  const before = await addressRows()
  const made = await Promise.all([1, 2, 3, 4].map(() => create('at-once')))
  assert.equal(new Set(made.map(each => each.id)).size, 1)
  assert.equal(await addressRows(), before + 1)
  const broken = { ...deps, pool: breakOnce(deps.pool, /insert into deposit_addresses/) }
  const requested = { merchantId: merchant.id, appid, reference: 'crashed', chainId: eth.id }
  await assert.rejects(createApplicationAddress(broken, requested), /killed here/)
  assert.equal(
    (await listFixedAddresses(deps.pool, merchant.id, { text: 'crashed' }, { limit: 10, offset: 0 })).total,
    0,
  )
  assert.equal((await create('crashed')).reference, 'crashed')
})

const addressVerbs: [string, RegExp, (of: typeof deps, merchantId: string) => Promise<unknown>][] = [
  [
    'an own address',
    /update fixed_addresses set label/,
    (of, merchantId) => assignFixedAddress(of, merchantId, eth.id, 'Till'),
  ],
  [
    "a customer's address",
    /insert into fixed_addresses/,
    async (of, merchantId) =>
      createApplicationAddress(of, { merchantId, appid: 'app', reference: 'refused', chainId: eth.id }),
  ],
]
for (const [what, statement, make] of addressVerbs)
  test(`${what} is for open accounts, and a crash stores nothing`, async () => {
    const { id } = await testMerchant(deps)
    const stored = () => rowsOf(owner, 'select purpose from deposit_addresses where merchant_id = $1', [id])
    await refusedUnlessOpen(owner, id, () => make(deps, id))
    await assert.rejects(make(deps, 'nobody'), { reason: 'login_expired' })
    for (const pattern of [statement, /insert into deposit_addresses/, /^commit/i])
      await assert.rejects(make({ ...deps, pool: breakOnce(deps.pool, pattern) }, id), /killed here/)
    assert.deepEqual(await stored(), [])
    await Promise.all([make(deps, id), make(deps, id)])
    assert.equal((await stored()).length, 1)
  })

test('addresses are listed by page, application, chain, reference and address', async () => {
  const { id: merchantId } = await testMerchant(deps)
  const { appid: own } = await testApplication(deps, merchantId)
  const { appid: other } = await testApplication(deps, merchantId)
  const made = []
  for (let n = 0; n < 25; n++) {
    deps.pass(1)
    made.push(await create(`c-${n}`, n % 5 === 0 ? bsc.id : eth.id, { merchantId, appid: n % 2 === 0 ? own : other }))
  }
  const list = async (filter: object, offset = 0, limit = 10) => {
    const { total, rows } = await listFixedAddresses(deps.pool, merchantId, filter, { limit, offset })
    return { total, references: rows.map(row => row.reference) }
  }
  assert.deepEqual(await list({}, 20), { total: 25, references: ['c-4', 'c-3', 'c-2', 'c-1', 'c-0'] })
  assert.equal((await list({ appid: own })).total, 13)
  assert.deepEqual(await list({ appid: own, chain_id: bsc.id }), { total: 3, references: ['c-20', 'c-10', 'c-0'] })
  assert.deepEqual(await list({ text: 'c-7' }), { total: 1, references: ['c-7'] })
  assert.deepEqual(await list({ text: made[9]!.address }), { total: 1, references: ['c-9'] })
  assert.deepEqual(await list({ text: made[9]!.address, appid: own }), { total: 0, references: [] })
})

test('a deposit is reported to the application once it is credited, and only then, in the same transaction', async () => {
  const reference = 'told'
  const { address, id } = await create(reference)
  const own = await assignFixedAddress(deps, merchant.id, eth.id)
  await world.eth.add([
    { to: address, amount: 5n * usdt },
    { to: address, amount: 7n * usdt, token: eth.tokens[1]!.contract },
    { to: own.address, amount: usdt },
  ])
  assert.deepEqual(await eventsOf(reference), [])
  const { definition } = world.eth
  for (let left = definition.confirmations; left > 2; left--) await world.eth.add()
  const event = world.eth.next()
  const broken = { ...deps, pool: breakOnce(deps.pool, /insert into callbacks/) }
  await assert.rejects(applyBlocks(broken, { chainId: eth.id, event }), /killed here/)
  assert.deepEqual(
    await rowsOf(owner, `select state from deposits where to_address = $1 and state <> 'seen'`, [address]),
    [],
  )
  const { pool, transactions } = recording(deps.pool)
  await applyBlocks({ ...deps, pool }, { chainId: eth.id, event })
  assert.equal(transactions[0]!.filter(each => each === 'recharges-receivers').length, 1)
  assert.equal(new Set(transactions[0]).size, transactions[0]!.length, 'each statement once')
  const reported = await eventsOf(reference)
  assert.deepEqual(
    reported.map(({ row, body: { type, data } }) => [
      type,
      data.amount,
      data.token,
      data.state,
      data.address_id,
      row.appid,
    ]),
    [
      ['deposit.credited', '5', 'USDT', 'credited', id, appid],
      ['deposit.credited', '7', 'USDC', 'credited', id, appid],
    ],
  )
  assert.equal(reported[0]!.body.data.chain_id, eth.id)
  const filter = { addresses: [address] }
  const { rows, total } = await listRecharges(deps.pool, merchant.id, filter, { limit: 10, offset: 0 })
  assert.equal(total, 2)
  assert.deepEqual(presentDeposit(rows.find(row => row.token === 'USDT')!), reported[0]!.body.data)
  await assertBooksAgree(owner)
})

test('nothing is reported of an address on another chain’s kind, a muted event or without a notify URL', async () => {
  const { id: merchantId } = await testMerchant(deps)
  const quiet = await testApplication(deps, merchantId, { notify_url: '' })
  const muted = await testApplication(deps, merchantId)
  await changeApplication(deps.pool, merchantId, muted.appid, { callbacks_muted: ['deposit.credited'] })
  const receivers = [
    await create('quiet', eth.id, { merchantId, appid: quiet.appid }),
    await create('muted', eth.id, { merchantId, appid: muted.appid }),
  ]
  await world.eth.add(receivers.map(({ address }) => ({ to: address, amount: usdt })))
  await world.eth.confirm()
  const credited = await rowsOf(owner, `select state from deposits where merchant_id = $1`, [merchantId])
  assert.deepEqual(
    credited.map(each => each.state),
    ['credited', 'credited'],
  )
  assert.deepEqual([...(await eventsOf('quiet')), ...(await eventsOf('muted'))], [])
})

test('a deposit on another chain of the kind is reported, too', async () => {
  const { address, id } = await create('elsewhere')
  await world.bsc.add([{ to: address, amount: 10n ** 18n }])
  await world.bsc.confirm()
  const [reported] = await eventsOf('elsewhere')
  assert.deepEqual(
    [reported!.body.data.chain_id, reported!.body.data.address_id, reported!.body.data.amount],
    [bsc.id, id, '1'],
  )
})

test('a credited deposit that its chain took back is reported as reversed', async () => {
  const { address } = await create('reversed')
  await world.eth.add([{ to: address, amount: 3n * usdt }])
  await world.eth.confirm()
  const [{ id }] = await rowsOf(owner, 'select id from deposits where to_address = $1', [address])
  await owner.query('update deposits set doubted = true where id = $1', [id])
  await undoDeposit(deps, { depositId: id })
  const reported = await eventsOf('reversed')
  assert.deepEqual(
    reported.map(({ body: { type, data } }) => [type, data.id, data.state]),
    [
      ['deposit.credited', id, 'credited'],
      ['deposit.reversed', id, 'undone'],
    ],
  )
  const told = await rowsOf(owner, `select params from notifications where message = 'recharge_reversed'`)
  assert.deepEqual(told, [
    { params: { address: chainAdapters.evm.address.show(address), amount: '3', token: 'USDT', chain: 'Ethereum' } },
  ])
  await assertBooksAgree(owner)
})

test('the address of a token is refused until its chain is open, and the records are filtered and exported', async () => {
  const { token, id: merchantId } = await testMerchant(deps)
  const app = await makeApp(deps)
  after(() => app.close())
  const ask = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) =>
    (
      await app.inject({
        method,
        url: `/api/v1/account/${url}`,
        headers: { 'x-token': token },
        ...(payload && { payload }),
      })
    ).json()
  const funds = () => ask('POST', 'recharge/funds', { token_id: `${eth.id}:USDT` })
  assert.deepEqual([(await funds()).code, (await funds()).msg], [10028, 'Please open the USDT chain first'])
  const opened = (await ask('POST', 'fixed-address', { currency_id: eth.id, label: 'Till' })).data
  assert.deepEqual((await ask('POST', 'fixed-address', { currency_id: eth.id, label: 'Another' })).data, opened)
  const { data } = await funds()
  assert.deepEqual([data.address, data.token, data.confirmations], [opened.address, 'USDT', eth.confirmations])
  assert.deepEqual(
    (await Promise.all([funds(), funds()])).map(each => each.data),
    [data, data],
  )
  const recharge = (of: string) =>
    call(addressHandlers, 'POST /api/v1/account/recharge/funds', deps, of, { body: { token_id: `${eth.id}:USDT` } })
  await refusedUnlessOpen(owner, merchantId, () => recharge(merchantId))
  await assert.rejects(recharge((await testMerchant(deps)).id), { reason: 'open_usdt_chain_first' })
  const [listed] = (await ask('GET', 'fixed-address?appid=own')).data.list
  assert.deepEqual([listed.label, listed.reference, listed.appid], ['Till', '', ''])
  assert.equal((await ask('PUT', 'fixed-address', { id: opened.id, label: '' })).code, 200)
  const foreign = await create('foreign')
  assert.equal((await ask('PUT', 'fixed-address', { id: foreign.id, label: 'Mine' })).code, 10118)

  await world.eth.add([
    { to: opened.address, amount: 5n * usdt },
    { to: opened.address, amount: 6n * usdt, token: eth.tokens[1]!.contract },
  ])
  const records = async (query: string) => (await ask('GET', `recharge?${query}`)).data
  const [seen] = (await records('state=seen')).list
  assert.deepEqual([seen.confirmations, seen.required_confirmations], [1, eth.confirmations])
  await world.eth.confirm()
  assert.equal((await records('state=seen')).total, 0)
  const all = await records(`text=${opened.address}`)
  assert.deepEqual([all.total, all.list[0].state], [2, 'credited'])
  assert.deepEqual(
    (await records(`token_id=${eth.id}:USDC`)).list.map((each: { amount: string }) => each.amount),
    ['6'],
  )
  assert.equal((await records('text=unknown')).total, 0)
  const scope = { ...ownerReader(merchantId), filter: { text: opened.address }, language: 'en' as const }
  assert.equal(await rechargeExport.count(deps.pool, scope), 2)
  const [first] = await rechargeExport.next(deps.pool, scope, undefined, 1)
  const [second] = await rechargeExport.next(deps.pool, scope, first, 10)
  assert.deepEqual([first!.id, second!.id].sort(), all.list.map((each: { id: string }) => each.id).sort())
})
