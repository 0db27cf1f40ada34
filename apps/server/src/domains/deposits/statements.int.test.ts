import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catchUp, followedWorld, payer } from '../../testing/followed.ts'
import { eth } from '../../testing/money.ts'
import { recording } from '../../testing/recording.ts'

const read = ['begin', 'chain-lock', 'address-count', 'assets-of-chain']
const deposits = ['deposits-of-block', 'payments-lock', 'deposits-of-payments']
const written = ['deposits-write', 'payments-update', 'payment-history-insert', 'callbacks-enqueue']
const credited = ['notifications-insert', 'statistics-gain', 'statistics-move', 'ledger-post']

test('a block is applied in a constant number of statements, each at most once, and one without deposits in one', async t => {
  const world = await followedWorld(t)
  const { pool, transactions, alone } = recording(world.deps.pool)
  const usdt = eth.tokens[0]!.contract
  const orders = [await world.pay(), await world.pay(), await world.pay()]
  const send = (amount: bigint) => orders.map(({ address: to }) => [{ token: usdt, from: payer, to, amount }])

  const blocks: [what: string, mine: () => unknown, statements: string[]][] = [
    ['nothing', () => world.chain.mine(), []],
    [
      'new deposits',
      () => world.chain.mine(send(4_000_000n)),
      [...read, 'deposits-match', ...deposits, 'chain-append', ...written, 'commit'],
    ],
    ['nothing, while deposits wait', () => world.chain.mine(), []],
    [
      'deposits at depth and new ones',
      () => world.chain.mine(send(6_000_000n)),
      [
        ...read,
        'deposits-match',
        ...deposits,
        'chain-append',
        written[0]!,
        'known-addresses-kinds',
        'known-addresses-insert',
        ...written.slice(1),
        'notifications-insert',
        'statistics-gain',
        'ledger-post',
        'commit',
      ],
    ],
    ['nothing, while deposits wait again', () => world.chain.mine(), []],
    [
      'deposits at depth that pay',
      () => world.chain.mine(),
      [
        ...read,
        'deposits-match',
        ...deposits,
        'chain-append',
        written[0]!,
        'known-addresses-insert',
        ...written.slice(1),
        ...credited,
        'commit',
      ],
    ],
  ]
  for (const [what, mine, statements] of blocks) {
    transactions.length = 0
    alone.length = 0
    mine()
    await catchUp({ ...world.deps, pool }, world.chain)
    assert.deepEqual(transactions, statements.length > 0 ? [statements] : [], what)
    const inOne = alone.filter(each => each === 'chain-append-empty').length
    assert.equal(inOne, statements.length > 0 ? 0 : 1, what)
    assert.equal(new Set(statements).size, statements.length, what)
  }
  assert.equal(Math.max(...blocks.map(([, , statements]) => statements.length)), 19)
  for (const { trade_no } of orders) assert.equal((await world.payment(trade_no)).state, 'paid')
})
