import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ChainView } from '@coffer/chains'
import type { Config } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import { makeSeal } from '../../kit/seal.ts'
import { makeFileAddressIndexMark } from '../../outside/address-index-mark.ts'
import { Keys } from '../../signer/keys.ts'
import { createWatchOnlyDeriver } from '../../signer/watch.ts'
import { type TestDeps, withDeps } from '../../testing/deps.ts'
import { testApplication, testAuthenticator, testMerchant } from '../../testing/merchants.ts'
import { eth } from '../../testing/money.ts'
import { takeNextKeyIndex } from '../addresses/store.ts'
import { applicationById, webhookSecretSealPlace } from '../applications/store.ts'
import { checkAuthenticator } from '../identity/proofs/check-authenticator.ts'
import { merchantById } from '../merchants/store.ts'
import { bindInstallation, compareFingerprints } from './fingerprints.ts'
import { resealWithCurrentSecret } from './rotate-secret.ts'

const xpubOf = (byte: number) => new Keys(new Uint8Array(64).fill(byte)).xpub('evm')
const own = xpubOf(1)
const foreign = xpubOf(2)
const hash = (digit: string) => `0x${digit.repeat(64)}`

const chainWith = (genesis: string | null, definition = eth) =>
  new Map([
    [eth.id, { definition, blockAt: async () => genesis && { number: 0, hash: genesis } } as unknown as ChainView],
  ])

/** The dependencies of a start with other settings on the same database. */
function startWith(
  deps: TestDeps,
  { config, ...given }: { config?: Partial<Config> } & Partial<Omit<Deps, 'config'>>,
): Deps {
  const settings = { ...deps.config, ...config }
  const { secret, secretPrevious, xpubs } = settings
  return {
    ...deps,
    config: settings,
    seal: makeSeal(secret, ...[secretPrevious].filter(Boolean)),
    addressAt: (kind, index) => createWatchOnlyDeriver(kind, xpubs[kind] ?? '')(index),
    ...given,
  }
}

async function installation(t: Parameters<typeof withDeps>[0]) {
  const deps = await withDeps(t, { chains: chainWith(hash('1')), config: { xpubs: { evm: own } } })
  return { ...deps, ...startWith(deps, {}), owner: deps.owner } as typeof deps
}

const refused = (deps: Deps, words: RegExp) =>
  assert.rejects(bindInstallation(deps), error => {
    assert.equal((error as Error).name, 'OperatorProblem')
    assert.match((error as Error).message, words)
    return true
  })

test('a start with another key tree, secret, chain or mode is refused in one line each', async t => {
  const deps = await installation(t)
  await bindInstallation(deps)
  await bindInstallation(deps)
  await refused(startWith(deps, { config: { xpubs: { evm: foreign } } }), /^COFFER_XPUB_EVM is not the key .*[^\n]$/)
  await refused(
    startWith(deps, { config: { secret: 'another secret of at least 32 signs' } }),
    /^COFFER_SECRET is not the one/,
  )
  await refused(startWith(deps, { chains: chainWith(hash('2')) }), /^the nodes of chain eth begin with the block 0x22/)
  await refused(startWith(deps, { chains: chainWith(null, { ...eth, chainId: 5 }) }), /^chain eth has the chain id 5 /)
  await refused(
    startWith(deps, { config: { mode: 'sandbox' } }),
    /a database of the production, and COFFER_MODE is sandbox/,
  )
  const all = { config: { xpubs: { evm: foreign }, secret: 'another secret of at least 32 signs' } }
  assert.equal((await compareFingerprints(startWith(deps, all))).problems.length, 2)
})

test('a chain whose nodes do not answer is compared at a later start', async t => {
  const deps = await installation(t)
  await bindInstallation(startWith(deps, { chains: chainWith(null) }))
  await bindInstallation(deps)
  await bindInstallation(startWith(deps, { chains: chainWith(null) }))
  await refused(startWith(deps, { chains: chainWith(hash('2')) }), /another network$/)
})

test('a database from before fingerprints recognises its secret and its addresses', async t => {
  const deps = await installation(t)
  const merchant = await testMerchant(deps)
  await testApplication(deps, merchant.id)
  const secret = 'another secret of at least 32 signs'
  await refused(startWith(deps, { config: { secret } }), /^COFFER_SECRET is not the one/)
  await deps.owner.query(
    `insert into deposit_addresses (chain_kind, address, key_index, merchant_id, purpose, created_at)
     values ('evm', $1, 3, $2, 'lease', 1)`,
    [createWatchOnlyDeriver('evm', own)(3), merchant.id],
  )
  await refused(startWith(deps, { config: { xpubs: { evm: foreign } } }), /^COFFER_XPUB_EVM is not the key/)
  assert.equal((await deps.owner.query(`select 1 from fingerprints where name <> 'version'`)).rowCount, 0)
  await bindInstallation(deps)
})

test('rotating the secret seals everything again, and ends the previous one', async t => {
  const deps = await installation(t)
  const { id } = await testMerchant(deps)
  const { appid, webhookSecret } = await testApplication(deps, id)
  const authenticator = await testAuthenticator(deps, id)
  await deps.owner.query('update applications set previous_webhook_secret = webhook_secret')
  await bindInstallation(deps)
  const secret = 'another secret of at least 32 signs'
  const both = startWith(deps, { config: { secret, secretPrevious: deps.config.secret } })
  const after = startWith(deps, { config: { secret } })
  const webhookSecretBy = async ({ seal }: Deps) =>
    seal.open((await applicationById(deps.pool, id, appid))!.webhook_secret, webhookSecretSealPlace(appid))

  await bindInstallation(both)
  assert.equal(await webhookSecretBy(both), webhookSecret, 'both secrets open')
  await refused(after, /^COFFER_SECRET is not the one/)
  await refused(deps, /^COFFER_SECRET is not the one/)
  assert.equal(await resealWithCurrentSecret(both), 3)
  assert.equal(await resealWithCurrentSecret(both), 0)

  await bindInstallation(after)
  assert.equal(await webhookSecretBy(after), webhookSecret)
  const { rows } = await deps.owner.query('select previous_webhook_secret as sealed from applications')
  assert.equal(after.seal.open(rows[0].sealed, webhookSecretSealPlace(appid)), webhookSecret)
  await checkAuthenticator(after, (await merchantById(deps.pool, id))!, authenticator.code())
  await refused(deps, /^COFFER_SECRET is not the one/)
})

test('a restored dump gives out no address twice', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-mark-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const deps = startWith(await installation(t), { addressMark: makeFileAddressIndexMark(folder) }) as TestDeps
  const { pool } = deps
  const next = () => takeNextKeyIndex(pool, 'evm')
  await bindInstallation(deps)
  assert.equal(await next(), 0)

  deps.addressMark.raise('evm', 40)
  await bindInstallation(deps)
  assert.equal(await next(), 40, 'restored in place: the mark is ahead')
  await bindInstallation(deps)
  assert.equal(await next(), 41, 'not restored')

  const restored = () => pool.query(`update fingerprints set value = 'elsewhere' where name = 'database'`)
  await restored()
  await bindInstallation(deps)
  assert.equal(await next(), 10_042, 'at least ten thousand are skipped')
  await bindInstallation(deps)
  assert.equal(await next(), 10_043)
  await pool.query('update address_counters set next_index = 50000')
  await restored()
  await bindInstallation(startWith(deps, { addressMark: makeFileAddressIndexMark(join(folder, 'new')) }))
  assert.equal(await next(), 100_000, 'as many as were ever used are skipped')

  const promoted = `update fingerprints set value = regexp_replace(value, '[0-9]+$', '0') where name = 'database'`
  for (const first of [110_001, 120_002]) {
    await pool.query(promoted)
    await bindInstallation(deps)
    assert.equal(await next(), first, 'a promotion does not double what was used')
  }
  await pool.query(promoted)
  await bindInstallation(startWith(deps, { addressMark: makeFileAddressIndexMark(join(folder, 'another')) }))
  assert.equal(await next(), 240_006, 'a folder that knows nothing may belong to a recovery in time')
})

test('a folder that cannot hold the mark is refused at the start', async t => {
  const deps = await installation(t)
  const addressMark = makeFileAddressIndexMark(import.meta.filename)
  await refused(startWith(deps, { addressMark }), /installation\.int\.test\.ts is not a folder/)
})
