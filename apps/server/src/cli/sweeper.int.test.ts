import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { defineSandboxChain, disperseContract, ethereum, sweeperOf } from '@coffer/chains'
import { EvmChain } from '@coffer/chains/evm/chain.ts'
import { withAnvil } from '@coffer/local/testing/anvil.ts'
import type { Deps } from '../deps.ts'
import { syncChains } from '../domains/chains/sync-chains.ts'
import { createAnvilClient } from '../sandbox/chains.ts'
import { SignerUnavailable } from '../signer/client.ts'
import { openSeedFile } from '../signer/seed-file.ts'
import { withDeps } from '../testing/deps.ts'
import { createOperatorCall } from './call.ts'
import { type Command, CommandFailure } from './command.ts'
import { findCommand } from './run.ts'
import { initSigner } from './signer.ts'
import { createSignerVault, writeAuthorizations } from './vault.ts'

const run = async (command: Command, args: string[], deps: Deps) =>
  String(await command.run(createOperatorCall(deps), args, deps))

const treasury = `0x${'f0'.repeat(20)}`
const definition = defineSandboxChain(ethereum, { chainId: 31337, confirmations: 6, blockTime: 1, tokens: [] })

test('prints the transactions that deploy missing contracts', async t => {
  const { url } = await withAnvil(t)
  const { command } = findCommand(['sweeper', 'contracts'])!
  const chains = new Map([['eth', new EvmChain(definition, { endpoints: [{ url }] })]])
  const deps = { chains, signer: { hot: async () => treasury, treasury: async () => null } } as unknown as Deps
  const before = await run(command, [], deps)
  for (const { address } of [disperseContract, sweeperOf(treasury)])
    assert.match(before, new RegExp(`${address}  missing`))

  const client = createAnvilClient(url)
  const [owner] = await client.getAddresses()
  const transactions = [...before.matchAll(/to (0x\w{40}), value 0, data\n(0x[0-9a-f]+)/g)]
  assert.equal(transactions.length, 2)
  for (const [, to, data] of transactions) {
    const transaction = { account: owner!, chain: null, to: to as '0x', data: data as '0x' }
    await client.waitForTransactionReceipt({ hash: await client.sendTransaction(transaction) })
  }
  const after = await run(command, [], deps)
  assert.deepEqual(after.match(/deployed|missing|value/g), ['deployed', 'deployed'])
})

test('makes a vault and authorizations offline, and imports them', async t => {
  const base = await withDeps(t)
  const home = mkdtempSync(join(tmpdir(), 'coffer-vault-'))
  t.after(() => rmSync(home, { recursive: true }))
  const env = {
    COFFER_DATA: home,
    COFFER_SIGNER_PASSPHRASE: 'a long enough passphrase',
    COFFER_CHAINS: join(home, 'chains.json'),
  }
  writeFileSync(env.COFFER_CHAINS, JSON.stringify({ chains: [{ id: 'eth', nodes: [{ url: 'http://127.0.0.1:1' }] }] }))
  await initSigner(env)
  const vault = join(home, 'vault')
  const [, , xpub] = /(COFFER_XPUB_EVM=(\w+))/.exec(await createSignerVault(env, vault))!
  await assert.rejects(createSignerVault(env, vault), /never overwritten/)
  const keys = await openSeedFile(join(vault, 'seed.json'), env.COFFER_SIGNER_PASSPHRASE)
  assert.deepEqual([keys.holdsDeposits, keys.xpub('evm')], [false, xpub])
  assert.equal(
    readFileSync(join(vault, 'policy.json'), 'utf8'),
    readFileSync(join(home, 'signer', 'policy.json'), 'utf8'),
  )

  const lines: string[] = []
  await writeAuthorizations(env, ['eth', '3', '5'], line => lines.push(line))
  assert.deepEqual(
    lines.map(line => JSON.parse(line).index),
    [5, 6, 7],
  )
  for (const [args, says] of [
    [['eth', '0'], /a count of 1/],
    [['eth', '1', 'x'], /the index to start/],
    [['moon', '1'], /moon is no chain/],
  ] as const)
    await assert.rejects(
      writeAuthorizations(env, [...args], () => {}),
      says,
    )
  await assert.rejects(
    createSignerVault({ ...env, COFFER_DATA: home, COFFER_SIGNER_PASSPHRASE: '' }, vault),
    /is not set/,
  )

  const path = join(home, 'authorizations')
  writeFileSync(path, lines.join(''))
  await syncChains({
    ...base,
    chains: new Map([['eth', new EvmChain({ ...ethereum }, { endpoints: [{ url: 'http://127.0.0.1:1' }] })]]),
  })
  const deps = {
    ...base,
    config: { ...base.config, xpubs: { evm: xpub! } },
    signer: { ...base.signer, hot: async () => keys.address('evm', 'hot'), treasury: async () => null },
  }
  const { command } = findCommand(['sweeper', 'import', 'eth', path])!
  assert.match(await run(command, ['eth', path], deps), /^3 were new\. eth has 3, 3 of them/)
  assert.match(await run(command, ['eth', path], deps), /^0 were new/)
  await assert.rejects(run(command, ['eth', join(home, 'none')], deps), /cannot be read/)
  await assert.rejects(run(command, ['tron', path], deps), /no chain on which/)
})

test('names nodes and a signer that do not answer', async () => {
  const { command } = findCommand(['sweeper', 'contracts'])!
  const chains = new Map([['eth', new EvmChain(definition, { endpoints: [{ url: 'http://127.0.0.1:1' }] })]])
  const signer = { hot: async () => treasury, treasury: async () => null }
  assert.match(await run(command, [], { chains, signer } as unknown as Deps), /nodes unreachable/)
  const silent = { treasury: () => Promise.reject(new SignerUnavailable('no answer')) }
  await assert.rejects(run(command, [], { chains, signer: silent } as unknown as Deps), CommandFailure)
})
