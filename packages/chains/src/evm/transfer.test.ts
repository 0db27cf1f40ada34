import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeFunctionData, parseTransaction, recoverTransactionAddress } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { Token } from './generated/contracts.ts'
import { buildTransfer, bumpFees, signTransaction, txidOf } from './transfer.ts'

const key = Uint8Array.from({ length: 32 }, (_, i) => i + 1)
const owner = privateKeyToAddress(`0x${Buffer.from(key).toString('hex')}`)
const to = '0x00000000000000000000000000000000000000a1'
const token = '0xdac17f958d2ee523a2206206994597c13d831ec7'
const fees = { maxFeePerGas: 30n, maxPriorityFeePerGas: 2n }
const common = { chainId: 56, to, nonce: 9, gas: 60_000n, fees }

test('signs a token transfer', async () => {
  const { raw, txid } = await signTransaction(buildTransfer({ ...common, token, amount: 2n ** 200n }), key)
  const parsed = parseTransaction(raw as `0x02${string}`)
  const call = decodeFunctionData({ abi: Token.abi, data: parsed.data! })
  assert.equal(call.functionName, 'transfer')
  assert.deepEqual(
    call.args?.map(arg => String(arg).toLowerCase()),
    [to, String(2n ** 200n)],
  )
  assert.deepEqual([parsed.to, parsed.value ?? 0n, parsed.chainId, parsed.nonce], [token, 0n, 56, 9])
  assert.deepEqual([parsed.gas, parsed.maxFeePerGas, parsed.maxPriorityFeePerGas], [60_000n, 30n, 2n])
  assert.equal(await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` }), owner)
  assert.equal(txid, txidOf(raw))
})

test('signs a native transfer without data', async () => {
  const { raw } = await signTransaction(buildTransfer({ ...common, token: null, amount: 5n }), key)
  const parsed = parseTransaction(raw as `0x02${string}`)
  assert.deepEqual([parsed.to, parsed.value, parsed.data], [to, 5n, undefined])
})

test('bumps both fees by at least an eighth, and at least to the market', () => {
  const fee = fc.bigInt({ min: 0n, max: 10n ** 15n })
  fc.assert(
    fc.property(fee, fee, fee, fee, (a, b, c, d) => {
      const [tip, max] = a < b ? [a, b] : [b, a]
      const market = c < d ? { maxPriorityFeePerGas: c, maxFeePerGas: d } : { maxPriorityFeePerGas: d, maxFeePerGas: c }
      const bumped = bumpFees({ maxPriorityFeePerGas: tip, maxFeePerGas: max }, market)
      assert.ok(bumped.maxFeePerGas * 8n >= max * 9n && bumped.maxFeePerGas > max)
      assert.ok(bumped.maxPriorityFeePerGas * 8n >= tip * 9n && bumped.maxPriorityFeePerGas > tip)
      assert.ok(
        bumped.maxFeePerGas >= market.maxFeePerGas && bumped.maxPriorityFeePerGas >= market.maxPriorityFeePerGas,
      )
      assert.ok(bumped.maxFeePerGas >= bumped.maxPriorityFeePerGas)
    }),
  )
})
