import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paymentStatus } from '@coffer/contract/codes.ts'
import { eth, firstRow } from '../../testing/money.ts'
import { night, reason } from '../../testing/office.ts'
import { testOperator } from '../../testing/operators.ts'
import { insertIncidents } from '../chains/store.ts'
import { readExposure } from './exposure.ts'

type World = Awaited<ReturnType<typeof night>>

/** An office in which nothing is worth enough for two people but one USDC, of which no source has a price. */
async function unpriced(t: Parameters<typeof night>[0]) {
  const w = await night(t)
  Object.assign(w.deps.config, { twoPeopleAbove: 1_000_000 })
  const one = await testOperator(w.deps, 'owner')
  const two = await testOperator(w.deps, 'owner')
  const order = await w.pay({ amount: '200' })
  await w.eth.add([{ to: order.address, amount: 1_000_000n, token: eth.tokens[1]!.contract, txid: '0xusdc' }])
  await w.eth.confirm()
  const deposit: string = (await firstRow(w.deps.owner, 'select id from deposits')).id
  return { ...w, one, two, deposit }
}

async function troubles({ deps, merchant }: World) {
  const { owner } = deps
  await owner.query('update payments set status = $1', [paymentStatus.in_doubt])
  await owner.query('update deposits set doubted = true')
  await owner.query('insert into switches (name, reason, since) values ($1, $2, 1)', [
    'withdrawals_stopped:eth:USDC',
    'less than owed',
  ])
  await owner.query(`update merchants set frozen = true, held_at = 1, risk_level = 'fail' where id = $1`, [merchant.id])
  const short = {
    asset_id: 'eth:USDC',
    block: { number: 9, hash: '0x' },
    unseen: [],
    ledger: '5000000',
    held: '0',
    found: '2500000',
  }
  await insertIncidents(deps.pool, [
    { id: 'short', kind: 'shortage', chain_id: 'eth', detail: short, created_at: deps.clock() },
  ])
}

test('what depends on a call whose value nobody knows takes two people', async t => {
  const w = await unpriced(t)
  await troubles(w)
  const { mchid } = w.merchant
  const calls: [key: string, id: string, body?: object][] = [
    ['POST wallets/:id/resume', 'eth'],
    ['POST queues/:id/resume', 'withdrawals'],
    ['POST incidents/:id/close', 'short'],
    ['PUT merchants/:id/risk', mchid, { risk_level: 'pass' }],
    ['POST merchants/:id/lift-hold', mchid],
    ['POST merchants/:id/unfreeze', mchid],
    ['POST deposits/:id/undo', w.deposit],
  ]
  for (const [key, id, body = {}] of calls) {
    const call = key.replace(' ', ' /api/operator/v1/')
    const { data } = await w.ask(w.one.token, `GET stakes?${new URLSearchParams({ call, id })}`)
    assert.deepEqual([data.value, data.unpriced], ['', ['USDC']], key)
    const ask = (token: string) => w.ask(token, key, id, { ...body, reason })
    assert.equal((await ask(w.one.token)).data?.waits, true, key)
    const open = (await w.ask(w.two.token, 'GET decisions')).data.list
    assert.deepEqual(
      open.map((each: { value: string }) => each.value),
      [''],
      key,
    )
    assert.equal((await ask(w.two.token)).data?.waits, false, key)
  }
})

test('what could be taken in all is not known while no node reports a balance', async t => {
  const w = await night(t)
  const reach = [{ chain: 'eth', asset: eth.tokens[0]!.contract, dollars: '1', deposits: false }]
  const exposure = async () => ({ chains: [], per_day: '9', reach, uncounted: [], remedies: [] })
  const deps = { pool: w.deps.pool, signer: { ...w.deps.signer, exposure } }
  const of = async (balance: string) => {
    const row = { chain_id: 'eth', token: 'USDT', unswept: '0', balance } as Parameters<typeof readExposure>[1][number]
    return (await readExposure(deps, [row])).in_all
  }
  assert.deepEqual([await of('5'), await of('')], ['5', ''])
})
