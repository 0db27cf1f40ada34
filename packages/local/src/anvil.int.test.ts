import assert from 'node:assert/strict'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { rpc } from './anvil-state.ts'
import { createPrivateFolder, endParent, startParent, testUsers } from './parents.fixture.ts'
import { isRunning, type ProcessId } from './processes.ts'
import { withAnvil } from './testing/anvil.ts'
import { until } from './testing/until.ts'

const payer = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const payee = '0x00000000000000000000000000000000000000aa'

/** Sends a payment and waits for its block: the node answers before it is mined. */
const pay = async (url: string) => {
  const hash = await rpc(url, 'eth_sendTransaction', [{ from: payer, to: payee, value: '0x1' }])
  await until('the payment is in a block', () => rpc(url, 'eth_getTransactionReceipt', [hash]))
}

/** Identifies the chain's state: hashes of the latest block and an old one, and the payee's balance. */
const facts = (url: string) =>
  Promise.all([
    rpc(url, 'eth_getBlockByNumber', ['latest', false]).then(block => (block as { hash: string }).hash),
    rpc(url, 'eth_getBlockByNumber', ['0x1', false]).then(block => (block as { hash: string }).hash),
    rpc(url, 'eth_getBalance', [payee, 'latest']),
  ])

const savedBlock = (folder: string): number =>
  JSON.parse(gunzipSync(readFileSync(join(folder, 'saved.json.gz'))).toString()).best_block_number

const node = (folder: string): ProcessId => JSON.parse(readFileSync(join(folder, 'process.json'), 'utf8'))

for (const { name, uid } of testUsers) {
  test(`as ${name}: continues a stopped chain, which can still be reorganised`, async t => {
    const folder = createPrivateFolder(t, uid)
    const first = await startParent('anvil', folder, uid)
    for (let i = 0; i < 6; i += 1) await pay(first.url)
    const before = await facts(first.url)
    await endParent(first, 'SIGTERM')
    assert.equal(isRunning(node(folder)), false)

    const second = await startParent('anvil', folder, uid)
    assert.deepEqual(await facts(second.url), before)
    await rpc(second.url, 'anvil_reorg', [3, []])
    assert.equal(await rpc(second.url, 'eth_getBalance', [payee, 'latest']), '0x3')
    await endParent(second, 'SIGTERM')
  })

  test(`as ${name}: ends the node when its parent is killed, and the next start loses nothing`, async t => {
    const folder = createPrivateFolder(t, uid)
    const first = await startParent('anvil', folder, uid)
    for (let i = 0; i < 6; i += 1) await pay(first.url)
    const before = await facts(first.url)
    const left = node(folder)
    await endParent(first, 'SIGKILL')
    await until('the node ends', () => !isRunning(left))

    const second = await startParent('anvil', folder, uid)
    assert.deepEqual(await facts(second.url), before)
    await endParent(second, 'SIGTERM')
  })

  test(`as ${name}: restores the state saved after the last block when parent and node were killed`, async t => {
    const folder = createPrivateFolder(t, uid)
    const first = await startParent('anvil', folder, uid)
    await pay(first.url)
    const before = await facts(first.url)
    await until(
      'block 1 is saved',
      () => savedBlock(folder),
      block => block === 1,
    )
    process.kill(node(folder).pid, 'SIGKILL')
    await endParent(first, 'SIGKILL')

    const second = await startParent('anvil', folder, uid)
    assert.deepEqual(await facts(second.url), before)
    await endParent(second, 'SIGTERM')
  })
}

test('falls back to the previous state when a state file is truncated', async t => {
  const folder = createPrivateFolder(t, undefined)
  const first = await startParent('anvil', folder, undefined)
  await pay(first.url)
  await endParent(first, 'SIGTERM')
  // The second run exits cleanly without a new block, so both files hold the same chain.
  const second = await startParent('anvil', folder, undefined)
  const before = await facts(second.url)
  await endParent(second, 'SIGTERM')
  truncateSync(join(folder, 'exit.json'), 1_000)

  const third = await startParent('anvil', folder, undefined)
  assert.deepEqual(third.logs, [`${join(folder, 'exit.json')} is damaged; falling back to the previously saved state`])
  assert.deepEqual(await facts(third.url), before)
  await endParent(third, 'SIGTERM')
})

test('refuses to replace an unreadable chain with a new one', async t => {
  const folder = createPrivateFolder(t, undefined)
  await endParent(await startParent('anvil', folder, undefined), 'SIGTERM')
  truncateSync(join(folder, 'exit.json'), 100)
  writeFileSync(join(folder, 'saved.json.gz'), gzipSync('{'))
  assert.match(
    (await startParent('anvil', folder, undefined)).problem,
    /^The chain in .* cannot be read\. Restore a copy/,
  )
})

test('leaves alone a recorded pid that now belongs to another process', async t => {
  const folder = createPrivateFolder(t, undefined)
  await endParent(await startParent('anvil', folder, undefined), 'SIGTERM')
  writeFileSync(join(folder, 'process.json'), JSON.stringify({ pid: process.pid, started: '1' }))
  const next = await startParent('anvil', folder, undefined)
  assert.equal(next.problem, '')
  await endParent(next, 'SIGTERM')
})

test('runs two chains side by side, and names a port in use', async t => {
  const [one, two] = await Promise.all([
    withAnvil(t, { folder: createPrivateFolder(t, undefined), chainId: 31337 }),
    withAnvil(t, { folder: createPrivateFolder(t, undefined), chainId: 31338 }),
  ])
  assert.equal(await rpc(one.url, 'eth_chainId'), '0x7a69')
  assert.equal(await rpc(two.url, 'eth_chainId'), '0x7a6a')

  const server = createServer()
  t.after(() => server.close())
  const port = await new Promise<number>(resolve => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })
  await assert.rejects(withAnvil(t, { folder: createPrivateFolder(t, undefined), chainId: 1, port }), {
    name: 'OperatorProblem',
    message: `Port ${port} for the local chain 1 is in use. Stop the process that uses it.`,
  })
  // Another node with the same chain id answers there before the new one has seen that the port is in use.
  const taken = Number(new URL(one.url).port)
  await assert.rejects(withAnvil(t, { folder: createPrivateFolder(t, undefined), chainId: 31337, port: taken }), {
    name: 'OperatorProblem',
    message: `Port ${taken} for the local chain 31337 is in use. Stop the process that uses it.`,
  })
})
