import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mnemonicToSeedSync } from '@scure/bip39'
import { Keys } from '../../signer/keys.ts'
import type { SignRequest } from '../../signer/protocol.ts'
import { rowsOf } from '../../testing/money.ts'
import { sweepWorld } from '../../testing/sweep-world.ts'
import { importAuthorizations, signSweepDelegations } from './authorizations.ts'

const ether = 10n ** 18n

test('in vault mode sweeps by imported authorizations, without any key of a deposit address', async t => {
  const w = await sweepWorld(t)
  const whole = w.signer.keys
  const chain = { id: w.definition.id, chainId: w.definition.chainId!, to: w.hot }
  const indexesOf = async (addresses: string[]) => {
    const rows = await rowsOf(w.deps.owner, 'select address, key_index from deposit_addresses')
    return addresses.map(address => rows.find(each => each.address === address)!.key_index as number)
  }
  const linesFor = async (indexes: number[], of = chain, keys = whole) => {
    const lines = []
    for (const index of indexes) for await (const line of signSweepDelegations(keys, of, index, 1)) lines.push(line)
    return lines
  }
  const given = { xpub: whole.xpub('evm') }
  const import_ = (lines: string[]) => importAuthorizations(w.deps, chain, { ...given, lines })

  w.signer.keys = new Keys(whole.vault())
  const addresses = await w.paid([100_000_000n, 200_000_000n, 300_000_000n])
  const [coin] = await w.paid([ether], 'ETH')
  const [first, second, third] = await indexesOf(addresses)
  await w.sweep()
  assert.deepEqual(await w.sweeps(), [], 'nothing is authorized')

  const other = new Keys(mnemonicToSeedSync(`${'abandon '.repeat(11)}about`))
  for (const [wrong, says] of [
    [await linesFor([first!], { ...chain, id: 'other' }), /Line 1 is for the chain other/],
    [await linesFor([first!], { ...chain, chainId: 1 }), /Line 1 is no authorization of 0x/],
    [await linesFor([first!], chain, other), /signed by another wallet/],
    [['', '{"index": 1}'], /Line 2 is not a line/],
  ] as const)
    await assert.rejects(import_([...wrong]), says)
  const lines = await linesFor([first!, second!])
  assert.deepEqual([await import_(lines), await import_(lines)], [2, 0], 'the second import adds nothing')

  const before = await w.balance(w.hot)
  await w.sweep()
  await w.settle()
  assert.equal((await w.balance(w.hot)) - before, 300_000_000n - 2n)
  assert.deepEqual([await w.balance(addresses[2]!), await w.chain.balanceOf(null, coin!)], [300_000_000n, ether])
  assert.deepEqual(
    (await w.sweeps()).map(each => each.state),
    ['swept', 'swept'],
  )
  const terms = { chain: chain.id, nonce: 9, gas: '90000', maxFeePerGas: '1', maxPriorityFeePerGas: '1' }
  const refused: SignRequest[] = [
    { kind: 'sweep', ...terms, token: w.token, to: null, index: third!, amount: '1' },
    { kind: 'sweepMany', ...terms, token: w.token, owners: [{ index: third!, authorize: 0 }] },
  ]
  for (const request of refused) await assert.rejects(w.signer.sign(request), { refusal: 'no_key' })
})
