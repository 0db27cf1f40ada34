import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApplication } from '../testing/merchants.ts'
import { moneyWorld } from '../testing/money.ts'
import { findCommand, runCommand } from './run.ts'

test('finds a payment by number, transaction and address, and lists applications and callbacks', async t => {
  const world = await moneyWorld(t)
  const { deps, merchant } = world
  const type = async (...words: string[]) => {
    const { code, text } = await runCommand(deps, findCommand(words)!)
    return `${code} ${text}`
  }
  const { trade_no, address } = await world.pay({ out_trade_no: 'cake 7', subject: 'Cake' })
  const other = await world.pay()
  await world.eth.add([{ to: address, amount: 10_000_000n }])
  await world.eth.confirm()
  const shown = await type('payment', 'show', trade_no)
  assert.match(shown, new RegExp(`trade no +${trade_no}\\n.*out trade no +cake 7\\n.*mchid +${merchant.mchid}\\n`, 's'))
  assert.match(shown, /usdt amount +10 USDT\namount +10 USDT\npaid amount +10 USDT\nfees +[\d.]+ USDT\n/)
  assert.match(shown, /status +Account paid\n.*subject +Cake\n/s)
  const [, txid = ''] = /(0x[0-9a-f]{64}) +10 +USDT +Ethereum +credited/.exec(shown) ?? []
  for (const text of [txid, txid.slice(2).toUpperCase(), address])
    assert.equal(await type('payment', 'show', text), shown)
  assert.doesNotMatch(shown, new RegExp(other.trade_no))
  const deposit = await type('deposit', 'show', txid)
  assert.match(deposit, new RegExp(`mchid +${merchant.mchid}\\ntrade no +${trade_no}\\namount +10\\ntoken +USDT\\n`))
  const { rows } = await deps.pool.query('select id from deposits')
  assert.match(await type('deposit', 'show', rows[0].id), new RegExp(`trade no +${trade_no}\\namount +10\\n`))
  assert.match(await type('deposit', 'show', 'none'), /^1 Non-existent transaction/)
  assert.match(await type('payment', 'show', 'x'), /^1 Non-existent transaction \(x\)$/)

  const callbacks = await type('callback', 'list', trade_no)
  assert.match(callbacks, new RegExp(`${merchant.mchid} +cake 7 +payment.paid +pending`))
  assert.equal(await type('callback', 'list'), '0 No callback was given up.')
  assert.match(await type('callback', 'list', '1'), /^1 /)

  await testApplication(deps, merchant.id, { name: 'Second shop' })
  assert.match(await type('application', 'list', merchant.mchid), /Second shop +enabled +sk_/)
  assert.match(await type('application', 'list', 'M0'), /^1 Merchant does not exist/)
})

test('finds what support is given, and shows what a merchant does', async t => {
  const { deps, merchant, pay } = await moneyWorld(t)
  const get = async (path: string) => JSON.parse((await runCommand(deps, findCommand(['call', 'GET', path])!)).text)
  const { mchid, email } = merchant
  const { trade_no, address } = await pay({ out_trade_no: 'cake 8' })
  const { merchants } = await get(`search?text=${email.slice(0, -4)}`)
  assert.deepEqual(merchants, [{ mchid, email, name: merchants[0].name }])
  await deps.owner.query(`update merchants set name = 'Corner shop' where mchid = $1`, [mchid])
  for (const text of [trade_no, 'cake 8', address]) {
    const found: { trade_no: string; merchant: string }[] = (await get(`search?text=${text}`)).payments
    assert.deepEqual(
      found.map(each => [each.trade_no, each.merchant]),
      [[trade_no, 'Corner shop']],
      text,
    )
  }
  assert.deepEqual(await get('search?text=nobody'), { merchants: [], payments: [], withdrawals: [] })
  await deps.owner.query('update callbacks set status = 4')
  const { payments, callbacks, sessions } = await get(`merchants/${mchid}/activity`)
  assert.equal(payments[0].trade_no, trade_no)
  assert.ok(callbacks.every((each: { trade_no: string }) => each.trade_no === trade_no))
  assert.ok(sessions.every((each: object) => !('token_hash' in each)))
})

test('makes any call of the contract, with its checks, and none that needs a browser', async t => {
  const { deps, merchant } = await moneyWorld(t)
  const call = async (...words: string[]) => {
    const { code, text } = await runCommand(deps, findCommand(['call', ...words])!)
    return { code, text }
  }
  const { list } = JSON.parse((await call('GET', `merchants?text=${merchant.mchid}`)).text)
  assert.deepEqual(
    list.map((each: { mchid: string }) => each.mchid),
    [merchant.mchid],
  )
  const frozen = await call('post', `merchants/${merchant.mchid}/freeze`, '{"reason": "asked"}')
  assert.deepEqual(frozen, { code: 0, text: '{}' })
  assert.equal(JSON.parse((await call('GET', `merchants/${merchant.mchid}`)).text).frozen, true)
  const { rows } = await deps.pool.query(
    `select type, subject::json ->> 'action' as action from audit_log where merchant_id = '' order by seq`,
  )
  assert.deepEqual(rows.map(Object.values), [
    ['operator_began', 'POST merchants/:id/freeze'],
    ['operator', 'POST merchants/:id/freeze'],
  ])
  for (const words of [
    ['POST', `merchants/${merchant.mchid}/unfreeze`],
    ['POST', `merchants/${merchant.mchid}/unfreeze`, '{"reason"'],
    ['POST', `merchants/${merchant.mchid}/unfreeze`, '{"reason": "x", "more": 1}'],
    ['GET', 'nowhere'],
    ['GET', 'session'],
    ['GET', 'passkeys'],
    ['POST', 'public/login', '{}'],
    ['GET', 'releases'],
  ])
    assert.equal((await call(...words)).code, 1, words.join(' '))
})
