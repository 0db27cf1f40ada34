import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { mainnets } from '@coffer/chains'
import { computeExposure } from './exposure.ts'
import type { ChainPolicy, SignerPolicy } from './policy.ts'
import { buildSignerPolicy, INITIAL_POLICY_LIMITS } from './policy-file.ts'

const initial = buildSignerPolicy(Object.values(mainnets), INITIAL_POLICY_LIMITS)
const changed = (policy: SignerPolicy, change: (of: ChainPolicy) => Partial<ChainPolicy>): SignerPolicy => ({
  ...policy,
  chains: Object.fromEntries(Object.entries(policy.chains).map(([id, of]) => [id, { ...of, ...change(of) }])),
})
/** A passkey from 500 dollars of a token to one receiver on, and from 1,000 to all; for any native coin. */
const passkeys = ({ assets, worth }: ChainPolicy) => {
  const units = (dollars: bigint) =>
    Object.fromEntries(
      Object.keys(assets).map(asset => [
        asset,
        asset === 'native' ? 0n : dollars * 10n ** BigInt(worth[asset]!.decimals),
      ]),
    )
  return { rpId: 'pay.example', origin: 'https://pay.example', keys: [], above: units(500n), aboveInAll: units(1_000n) }
}
/** 1,000 dollars of each token, and a tenth of what may be paid of the native coin at once. */
const floats = ({ assets, worth }: ChainPolicy) =>
  Object.fromEntries(
    Object.entries(assets).map(([asset, { single }]) => [
      asset,
      asset === 'native' ? single / 10n : 1_000n * 10n ** BigInt(worth[asset]!.decimals),
    ]),
  )
/** A tenth of the fees. */
const lowFee = ({ fee }: ChainPolicy) => ({ single: fee.single, daily: fee.daily / 10n })

const table: [what: string, policy: SignerPolicy, holdsDeposits: boolean][] = [
  ['as `signer init` writes it', initial, true],
  ['the same without `allChains`, as of older versions', { ...initial, daily: null }, true],
  [
    'passkeys above 500 dollars of a token (1,000 in all) and for native coin, a tenth of the fees, vault mode',
    changed(initial, of => ({ passkeys: passkeys(of), fee: lowFee(of) })),
    false,
  ],
  [
    'a treasury, a float of 1,000 dollars of a token and a tenth of a native coin, a tenth of the fees, vault mode',
    changed(initial, of => ({ treasury: `0x${'c0'.repeat(20)}`, float: floats(of), fee: lowFee(of) })),
    false,
  ],
  [
    '`onlyTo` the own wallets, a tenth of the fees, vault mode',
    changed(initial, of => ({ onlyTo: [`0x${'00'.repeat(20)}`], fee: lowFee(of) })),
    false,
  ],
]

test('the exposure of four policies is what docs/security-audit.md says', () => {
  const whole = (text: string) => Math.ceil(Number(text)).toLocaleString('en-US')
  const rows = table.map(([what, policy, holdsDeposits]) => {
    const { chains, per_day, reach, remedies } = computeExposure(policy, holdsDeposits)
    const sum = (of: 'payouts' | 'fees') => String(chains.reduce((sum, each) => sum + Number(each[of]), 0))
    const inAll =
      reach.length === 0 ? 'fees only' : reach.some(each => each.deposits) ? 'hot wallets and deposits' : 'hot wallets'
    const lower = remedies.map(each => names[each]).join(', ')
    return [what, whole(sum('payouts')), whole(sum('fees')), whole(per_day), inAll, lower || '-']
  })
  const shown = readFileSync(join(import.meta.dirname, '../../../../docs/security-audit.md'), 'utf8')
    .split('\n')
    .filter(line => line.startsWith('|'))
    .map(line =>
      line
        .split('|')
        .slice(1, -1)
        .map(cell => cell.trim()),
    )
  for (const row of rows)
    assert.deepEqual(
      shown.find(([what]) => what === row[0]),
      row,
    )
})
const names = {
  passkeys: 'passkeys',
  onlyTo: '`onlyTo`',
  allChains: '`allChains`',
  treasury: 'treasury',
  vault: 'vault mode',
}

test('an asset without worth is named, and one that may not leave is not', () => {
  const { worth, ...eth } = initial.chains.eth!
  const { native, ...others } = worth
  const policy = (more: Partial<ChainPolicy> = {}): SignerPolicy => ({
    daily: null,
    chains: { eth: { ...eth, worth: others, ...more } },
  })
  assert.deepEqual(computeExposure(policy(), true).uncounted, [{ chain: 'eth', asset: 'native' }])
  assert.deepEqual(computeExposure(policy({ onlyTo: [] }), true).uncounted, [])
  const none = { ...eth.assets, native: { single: 0n, daily: 5n } }
  assert.deepEqual(computeExposure(policy({ assets: none }), true).uncounted, [])
  assert.ok(native)
})
