import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { suiteScope } from '@coffer/local/testing/scope.ts'
import type { Hex } from 'viem'
import { type MoneyOut, moneyOut, newAccount } from '../testing/money-out.ts'

/** Answers 256 to balanceOf and false to every other call. */
const RETURNS_FALSE = '0x5f3560e01c6370a082311460081b5f5260205ff3'

describe('Disperse', () => {
  let out: MoneyOut
  const scope = suiteScope()
  before(async () => {
    out = await moneyOut(scope)
    for (const token of [out.usdt, out.standard, out.feeToken]) {
      await out.issue(token, out.hot.address, 1_000_000n)
      await out.act({ does: 'approve', token, amount: 10_000n }, out.hot)
    }
  })

  const pay = (token: Hex, payments: { to: Hex; amount: bigint }[], from = out.hot) =>
    out.act({ does: 'batch', token, payments }, from)
  const receivers = (count: number) => Array.from({ length: count }, () => newAccount().address)

  test('pays every receiver exactly, also one who is named twice', async () => {
    for (const token of [out.usdt, out.standard]) {
      const [a, b] = receivers(2) as [Hex, Hex]
      const paid = await pay(token, [
        { to: a, amount: 5n },
        { to: b, amount: 7n },
        { to: a, amount: 1n },
      ])
      assert.equal(paid.status, 'success')
      assert.deepEqual([await out.balance(token, a), await out.balance(token, b)], [6n, 7n])
    }
  })

  test('pays all or nobody', async () => {
    const [a, b] = receivers(2) as [Hex, Hex]
    const beyondAllowance = [
      { to: a, amount: 5n },
      { to: b, amount: 500_000n },
    ]
    assert.equal((await pay(out.usdt, beyondAllowance)).status, 'reverted')
    await out.write(out.usdt, 'setPaused', [true])
    assert.equal((await pay(out.usdt, [{ to: a, amount: 5n }])).status, 'reverted')
    await out.write(out.usdt, 'setPaused', [false])
    assert.equal(await out.balance(out.usdt, a), 0n)
  })

  test('pays nobody less than the amount', async () => {
    const [a] = receivers(1) as [Hex]
    assert.equal((await pay(out.feeToken, [{ to: a, amount: 1_000n }])).status, 'reverted')
    await out.write(out.usdt, 'setParams', [10n, 1_000n])
    assert.equal((await pay(out.usdt, [{ to: a, amount: 1_000n }])).status, 'reverted')
    await out.write(out.usdt, 'setParams', [0n, 0n])
  })

  test('refuses a token that returns false, and one that is no contract', async () => {
    const lying = newAccount().address
    await out.client.setCode({ address: lying, bytecode: RETURNS_FALSE })
    const [a] = receivers(1) as [Hex]
    for (const token of [lying, newAccount().address])
      assert.equal((await pay(token, [{ to: a, amount: 1n }])).status, 'reverted')
  })

  test('spends its caller’s coins only', async () => {
    const [a] = receivers(1) as [Hex]
    assert.equal((await pay(out.usdt, [{ to: a, amount: 1n }], out.sweeper)).status, 'reverted')
  })
})
