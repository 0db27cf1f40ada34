import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { chainAdapters, ethereum, tron } from '@coffer/chains'
import { formatStatement, type ProofStatement, reservePageMessage, statementMessage } from '@coffer/core'
import { nodeCrypto } from '@coffer/core/proof/example.fixture.ts'
import { mnemonicToSeedSync } from '@scure/bip39'
import { Keys } from './keys.ts'
import { buildSignerPolicy, SANDBOX_POLICY_LIMITS } from './policy-file.ts'
import type { ReservePageRequest, SignedProofText } from './proof.ts'
import { SigningRecord } from './record.ts'
import { answerSignerRequest } from './service.ts'

const keys = new Keys(mnemonicToSeedSync('legal winner thank year wave sausage worth useful legal winner thank yellow'))
const treasury = '0x00000000000000000000000000000000000000cc'
const block = { number: 12, hash: `0x${'ab'.repeat(32)}`, until: null }
const balances = [{ asset: 'eth:USDT', amount: '5' }]
const page: ReservePageRequest = {
  id: '2026-11-30',
  chain: 'eth',
  page: 0,
  block,
  addresses: [
    { key: 7, address: keys.address('evm', 7), balances },
    { key: 'hot', address: keys.address('evm', 'hot'), balances },
    { key: 'sweeper', address: keys.address('evm', 'sweeper'), balances },
    { key: 'treasury', address: treasury, balances },
    { key: null, address: '0x00000000000000000000000000000000000000dd', balances },
  ],
}
const statement: ProofStatement = {
  id: '2026-11-30',
  time: 1_796_000_000,
  previous: null,
  chains: [{ id: 'eth', kind: 'evm', chain_id: 1, block, reason: '', pages: 1, pages_hash: 'aa'.repeat(32) }],
  assets: [
    {
      id: 'eth:USDT',
      chain: 'eth',
      symbol: 'USDT',
      contract: null,
      decimals: 6,
      leaves: 2,
      root: 'bb'.repeat(32),
      owed: '30',
      pending: '4',
      held: '25',
      difference: '-5',
    },
  ],
}

/** A signer with a record of its own, which `restart` opens again. */
function testSigner(t: TestContext, of = keys) {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-proof-'))
  const path = join(folder, 'signed.jsonl')
  const policy = buildSignerPolicy([ethereum, tron], SANDBOX_POLICY_LIMITS)
  policy.chains.eth!.treasury = treasury
  let record = new SigningRecord(path, 0)
  t.after(() => {
    record.close()
    rmSync(folder, { recursive: true })
  })
  let now = 1_796_000_000
  return {
    path,
    restart(later: number) {
      record.close()
      now += later
      record = new SigningRecord(path, now)
    },
    async call(op: string, proof: unknown): Promise<SignedProofText | string> {
      const line = JSON.stringify({ id: 1, op, proof })
      const answer = await answerSignerRequest({ keys: of, policy, record, now: () => now }, line)
      return 'refused' in answer ? answer.refused : (answer.result as SignedProofText)
    },
  }
}

const isValid = ({ text, signature, public_key }: SignedProofText, message: (text: string) => Uint8Array) =>
  nodeCrypto.isSigned(Buffer.from(signature, 'hex'), message(text), Buffer.from(public_key, 'hex'))

test('signs addresses that it derives or its policy names, and says which', async t => {
  const signer = testSigner(t)
  const signed = (await signer.call('prove_addresses', page)) as SignedProofText
  assert.ok(isValid(signed, reservePageMessage))
  assert.ok(!isValid(signed, statementMessage))
  const { addresses } = JSON.parse(signed.text)
  assert.deepEqual(
    addresses.map((each: { by: string }) => each.by),
    ['seed', 'seed', 'seed', 'policy', 'none'],
  )
  assert.equal(addresses[0].address, chainAdapters.evm.address.show(keys.address('evm', 7)))
})

test('signs no address that is not derived from its seed, or of another index, chain or spelling', async t => {
  const signer = testSigner(t)
  const refusal = (changed: object, more: object = {}) =>
    signer.call('prove_addresses', { ...page, ...more, addresses: [{ ...page.addresses[0], ...changed }] })
  assert.equal(await refusal({ address: treasury }), 'bad_address')
  assert.equal(await refusal({ key: 8 }), 'bad_address')
  assert.equal(await refusal({ key: 'hot' }), 'bad_address')
  assert.equal(await refusal({ key: 'treasury' }), 'bad_address')
  assert.equal(await refusal({ key: null, address: `${chainAdapters.evm.address.show(treasury)}0` }), 'bad_address')
  assert.equal(await refusal({}, { chain: 'tron' }), 'bad_address')
  assert.equal(await refusal({}, { chain: 'other' }), 'unknown_chain')
})

test('refuses what is not exactly a page or a statement', async t => {
  const signer = testSigner(t)
  const one = page.addresses[0]!
  const wrongPages = [
    null,
    'text',
    { ...page, more: 1 },
    { ...page, id: '2026-11-30\n' },
    { ...page, block: null },
    { ...page, addresses: [] },
    { ...page, addresses: Array.from({ length: 101 }, () => one) },
    ...['-1', '01', '1.0', '', String(2n ** 256n), 5].map(amount => ({
      ...page,
      addresses: [{ ...one, balances: [{ asset: 'eth:USDT', amount }] }],
    })),
  ]
  for (const each of wrongPages) assert.equal(await signer.call('prove_addresses', each), 'bad_request')
  const asset = statement.assets[0]!
  const wrongStatements = [
    null,
    page,
    { ...statement, more: 1 },
    { ...statement, assets: [{ ...asset, difference: '5' }] },
    { ...statement, assets: [{ ...asset, held: null }] },
    { ...statement, assets: [{ ...asset, owed: '-30' }] },
  ]
  for (const each of wrongStatements) assert.equal(await signer.call('prove_statement', each), 'bad_request')
})

test('signs one statement of an id, also after a restart and a year', async t => {
  const signer = testSigner(t)
  const signed = (await signer.call('prove_statement', statement)) as SignedProofText
  assert.equal(signed.text, formatStatement(statement))
  assert.ok(isValid(signed, statementMessage))
  assert.deepEqual(await signer.call('prove_statement', statement), signed)
  const other = { ...statement, time: statement.time + 1 }
  assert.equal(await signer.call('prove_statement', other), 'proof_signed')
  signer.restart(366 * 86_400)
  assert.equal(await signer.call('prove_statement', other), 'proof_signed')
  assert.deepEqual(await signer.call('prove_statement', statement), signed)
  assert.notEqual(await signer.call('prove_statement', { ...other, id: '2026-11-30-2' }), 'proof_signed')
})

test('of two statements sent together one is signed', async t => {
  const signer = testSigner(t)
  const both = await Promise.all([
    signer.call('prove_statement', statement),
    signer.call('prove_statement', { ...statement, time: 1 }),
  ])
  assert.equal(both.filter(each => each === 'proof_signed').length, 1)
  assert.equal(readFileSync(signer.path, 'utf8').trim().split('\n').length, 1)
})

test('an incomplete last line of the record was never acknowledged', async t => {
  const signer = testSigner(t)
  await signer.call('prove_statement', statement)
  const text = readFileSync(signer.path, 'utf8')
  writeFileSync(signer.path, text.slice(0, -10))
  signer.restart(1)
  const other = { ...statement, time: statement.time + 1 }
  assert.notEqual(await signer.call('prove_statement', other), 'proof_signed')
})

test('vault mode proves by public keys and a key of its own; an older vault has none', async t => {
  const vault = keys.vault()
  const own = testSigner(t, new Keys(vault))
  const from = testSigner(t)
  assert.deepEqual(await own.call('prove_addresses', page), await from.call('prove_addresses', page))
  const { "m/20266'/0'": _, ...older } = vault
  assert.equal(await testSigner(t, new Keys(older)).call('prove_addresses', page), 'no_key')
  assert.equal(await testSigner(t, new Keys(older)).call('prove_statement', statement), 'no_key')
})
