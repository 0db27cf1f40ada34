import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { disperseContract, ethereum, sweeperOf } from '@coffer/chains'
import { Disperse, Sweeper, Token } from '@coffer/chains/evm/generated/contracts.ts'
import { decodeFunctionData, parseTransaction, recoverTransactionAddress, type SignedAuthorization } from 'viem'
import { recoverAuthorizationAddress } from 'viem/utils'
import { SignerClient, SignerRefused, SignerUnavailable } from './client.ts'
import { buildSignerPolicy, INITIAL_POLICY_LIMITS, writePolicy } from './policy-file.ts'
import { MAX_LINE_BYTES, type SignedRawTransaction } from './protocol.ts'
import { resolveSignerSocketPath } from './socket-path.ts'
import { prepareSandboxSigner, type RunningSigner, startSigner } from './start.ts'
import { createWatchOnlyDeriver } from './watch.ts'

// The folder's path is too long for a Unix socket.
const home = mkdtempSync(join(tmpdir(), 'coffer-signer-'))
after(() => rmSync(home, { recursive: true }))
const folder = join(home, 'x'.repeat(100))
const [USDT, USDC] = ethereum.tokens.map(token => token.contract) as [string, string]
const terms = { chain: 'eth', nonce: 0, gas: '80000', maxFeePerGas: '30000000000', maxPriorityFeePerGas: '1000000000' }
const to = '0x00000000000000000000000000000000000000a1'
const transfer = { kind: 'transfer' as const, ...terms, token: USDT, to, index: null, amount: '5000000' }
/** Values of a decoded call as text in lower case. */
const lower = (value: unknown) =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? each.toString() : each)).toLowerCase()
const ends = async (signing: Promise<SignedRawTransaction>) => {
  const { from, to } = await signing
  return [from, to]
}
/** The signer of tests that neither end it nor reach its limits. Each uses nonces of its own. */
let signer: RunningSigner

before(async () => {
  await prepareSandboxSigner(folder, [ethereum])
  signer = await startSigner(folder)
})
after(() => signer.stop())

/** Starts a signer of a test's own, in a new folder. */
async function ownSigner(t: TestContext) {
  const own = mkdtempSync(join(home, 'own-'))
  await prepareSandboxSigner(own, [ethereum])
  const start = async () => {
    const started = await startSigner(own)
    t.after(() => started.stop())
    return started
  }
  return { start }
}

test('listens on a private socket with a short path, wherever the data is', () => {
  const path = resolveSignerSocketPath(folder)
  assert.ok(Buffer.byteLength(path) <= 107)
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.equal(statSync(join(path, '..')).mode & 0o777, 0o700)
})

test('signs exactly the requested transfer with the hot wallet', async () => {
  const hot = await signer.client.hot('evm')
  const signed = await signer.client.sign({ ...transfer, nonce: 6 })
  const raw = signed.raw as `0x02${string}`
  const transaction = parseTransaction(raw)
  assert.equal(await recoverTransactionAddress({ serializedTransaction: raw }).then(a => a.toLowerCase()), hot)
  assert.equal(transaction.to, USDT)
  assert.equal(transaction.chainId, 1)
  assert.equal(transaction.gas, 80_000n)
  assert.equal(transaction.maxFeePerGas, 30_000_000_000n)
  assert.match(transaction.data!, /^0xa9059cbb0{62}a10{58}4c4b40$/)
})

test('sweeps from the deposit address that the server derives, to the hot wallet only', async () => {
  const at = createWatchOnlyDeriver('evm', await signer.client.xpub('evm'))
  const signed = await signer.client.sign({ ...transfer, kind: 'sweep', to: null, index: 12 })
  const from = await recoverTransactionAddress({ serializedTransaction: signed.raw as `0x02${string}` })
  assert.equal(from.toLowerCase(), at(12))
  assert.equal(signed.to, await signer.client.hot('evm'))
})

test('signs one payout per nonce; a replacement may raise the fee', async () => {
  const first = await signer.client.sign({ ...transfer, nonce: 1 })
  const replacement = await signer.client.sign({ ...transfer, nonce: 1, maxFeePerGas: '40000000000' })
  assert.notEqual(first.txid, replacement.txid)
  for (const other of [{ amount: '5000001' }, { to: '0x00000000000000000000000000000000000000a2' }, { token: null }]) {
    await assert.rejects(signer.client.sign({ ...transfer, nonce: 1, ...other }), { refusal: 'nonce_taken' })
  }
  const cancel = { kind: 'cancel', nonce: 1, token: null, to: null, amount: '0' } as const
  await signer.client.sign({ ...transfer, ...cancel })
})

test('pays a batch through Disperse, and nothing else at that nonce', async () => {
  const payments = [
    { to, amount: '7' },
    { to: '0x00000000000000000000000000000000000000a2', amount: '8' },
  ]
  const batch = { kind: 'batch' as const, ...terms, nonce: 2, token: USDC, payments }
  const signed = await signer.client.sign(batch)
  const transaction = parseTransaction(signed.raw as `0x02${string}`)
  assert.deepEqual(
    [transaction.to, signed.to, transaction.value],
    [disperseContract.address, disperseContract.address, undefined],
  )
  const { functionName, args } = decodeFunctionData({ abi: Disperse.abi, data: transaction.data! })
  assert.equal(functionName, 'pay')
  assert.deepEqual(lower(args), lower([USDC, payments]))
  await signer.client.sign({ ...batch, maxFeePerGas: '40000000000' })
  for (const other of [payments.toReversed(), payments.slice(1), [payments[0]!, { ...payments[1]!, amount: '9' }]])
    await assert.rejects(signer.client.sign({ ...batch, payments: other }), { refusal: 'nonce_taken' })
  await assert.rejects(signer.client.sign({ ...transfer, nonce: 2 }), { refusal: 'nonce_taken' })
})

test('allows a token to Disperse only', async () => {
  const signed = await signer.client.sign({ kind: 'approve', ...terms, nonce: 3, token: USDT, amount: '5000' })
  const transaction = parseTransaction(signed.raw as `0x02${string}`)
  assert.equal(transaction.to, USDT)
  const { functionName, args } = decodeFunctionData({ abi: Token.abi, data: transaction.data! })
  assert.deepEqual([functionName, lower(args)], ['approve', lower([disperseContract.address, '5000'])])
})

test('sweeps delegated addresses from the sweeper, with nonces of its own', async () => {
  const { client } = signer
  const at = createWatchOnlyDeriver('evm', await client.xpub('evm'))
  const hot = await client.hot('evm')
  const sweeper = await client.sweeper('evm')
  const contract = sweeperOf(hot).address
  const owners = [
    { index: 7, authorize: 0 },
    { index: 8, authorize: null },
    { index: 9, authorize: 4 },
  ]
  const request = { kind: 'sweepMany' as const, ...terms, nonce: 0, token: USDT, owners }
  const signed = await client.sign(request)
  assert.deepEqual([signed.from, signed.to], [sweeper, contract])
  const serializedTransaction = signed.raw as `0x04${string}`
  assert.equal((await recoverTransactionAddress({ serializedTransaction })).toLowerCase(), sweeper)
  const transaction = parseTransaction(serializedTransaction)
  const { functionName, args } = decodeFunctionData({ abi: Sweeper.abi, data: transaction.data! })
  assert.deepEqual([functionName, lower(args)], ['sweepMany', lower([USDT, [at(7), at(8), at(9)]])])
  const delegated = transaction.authorizationList!.map(async each => ({
    chainId: each.chainId,
    nonce: each.nonce,
    address: each.address,
    by: (await recoverAuthorizationAddress({ authorization: each as SignedAuthorization })).toLowerCase(),
  }))
  assert.deepEqual(await Promise.all(delegated), [
    { chainId: 1, nonce: 0, address: contract, by: at(7) },
    { chainId: 1, nonce: 4, address: contract, by: at(9) },
  ])
  // A later attempt may authorize less, but not sweep others.
  const again = owners.map(({ index }) => ({ index, authorize: null }))
  const { raw } = await client.sign({ ...request, owners: again, maxFeePerGas: '40000000000' })
  assert.equal(parseTransaction(raw as `0x02${string}`).type, 'eip1559')
  await assert.rejects(client.sign({ ...request, owners: owners.slice(1) }), { refusal: 'nonce_taken' })

  const cancel = { ...transfer, kind: 'cancel' as const, token: null, to: null, amount: '0' as const }
  assert.deepEqual(await ends(client.sign({ ...cancel, wallet: 'sweeper' })), [sweeper, sweeper])
  assert.deepEqual(await ends(client.sign(cancel)), [hot, hot])
  const gas = { ...transfer, kind: 'gas' as const, token: null, to: null, amount: '1000000', nonce: 4 }
  assert.deepEqual(await ends(client.sign(gas)), [hot, sweeper])
})

test('signs a full sweep and a full batch within the longest line', async () => {
  const owners = Array.from({ length: 50 }, (_, i) => ({ index: 2 ** 31 - 1 - i, authorize: 0 }))
  const many = { kind: 'sweepMany' as const, ...terms, gas: '4000000', nonce: 1, token: USDT, owners }
  assert.equal(parseTransaction((await signer.client.sign(many)).raw as `0x04${string}`).authorizationList?.length, 50)
  const payments = Array.from({ length: 50 }, (_, i) => ({ to: `0x${'e'.repeat(38)}${i + 10}`, amount: '9'.repeat(8) }))
  await signer.client.sign({ kind: 'batch', ...terms, gas: '1000000', nonce: 5, token: USDC, payments })
})

test('keeps its limits across a restart, and the client reconnects', async t => {
  const million = (10n ** 12n).toString()
  const { start } = await ownSigner(t)
  const { client, stop } = await start()
  for (let nonce = 100; nonce < 200; nonce++) await client.sign({ ...transfer, nonce, amount: million })
  await assert.rejects(client.sign({ ...transfer, nonce: 200, amount: '1' }), { refusal: 'daily_limit' })
  await stop()
  await assert.rejects(client.sign(transfer), SignerUnavailable)
  await start()
  await assert.rejects(client.sign({ ...transfer, nonce: 200, amount: '1' }), SignerRefused)
  assert.equal((await client.sign({ ...transfer, nonce: 150, amount: million })).to, transfer.to)
  client.close()
})

test('limits the fees of a day, whatever they pay for', async () => {
  const own = join(home, 'careful')
  await prepareSandboxSigner(own, [ethereum])
  await writePolicy(join(own, 'policy.json'), buildSignerPolicy([ethereum], INITIAL_POLICY_LIMITS))
  const careful = await startSigner(own)
  after(() => careful.stop())
  const dear = { gas: '100000', maxFeePerGas: '1000000000000', maxPriorityFeePerGas: '1000000000000' }
  const cancel = { ...transfer, ...dear, kind: 'cancel', token: null, to: null, amount: '0' } as const
  const sweep = { ...transfer, ...dear, kind: 'sweep', to: null, index: 5 } as const
  for (let nonce = 0; nonce < 49; nonce++) await careful.client.sign({ ...(nonce % 2 ? cancel : sweep), nonce })
  const cheap = { ...cancel, nonce: 100, maxFeePerGas: '500000000000', maxPriorityFeePerGas: '1' }
  await careful.client.sign(cheap)
  await careful.client.sign({ ...cheap, maxFeePerGas: '1000000000000' })
  const refused = { refusal: 'fee_too_high' }
  for (const request of [cancel, sweep, { ...transfer, nonce: 101 }])
    await assert.rejects(careful.client.sign({ ...request, nonce: 101 }), refused, request.kind)
  await careful.client.sign({ ...cancel, nonce: 1 })
})

test('refuses malformed requests and keeps running', async () => {
  const socket = connect(resolveSignerSocketPath(folder)).setEncoding('utf8')
  const line = () => new Promise<string>(resolve => socket.once('data', text => resolve(String(text))))
  for (const sent of [
    '{',
    'null',
    '[]',
    '{"id":9,"op":"privateKey","kind":"evm"}',
    '{"id":9,"op":"xpub","kind":"doge"}',
  ]) {
    socket.write(`${sent}\n`)
    assert.equal(JSON.parse(await line()).refused, 'bad_request')
  }
  // Of a line that is too long nothing is stored, and others on the connection are answered.
  for (let i = 0; i < 3; i++) socket.write(`{"id":4,${'x'.repeat(MAX_LINE_BYTES)}`)
  assert.deepEqual(JSON.parse(await line()), { id: 4, refused: 'bad_request' })
  socket.write('x\n{"id":5,"op":"holdsDeposits","kind":"evm"}\n')
  assert.deepEqual(JSON.parse(await line()), { id: 5, result: true })
  assert.match(await signer.client.xpub('evm'), /^xpub/)
})

test('does not start with a wallet of its own as the treasury', async () => {
  const own = join(home, 'treasury')
  await prepareSandboxSigner(own, [ethereum])
  const { client, stop } = await startSigner(own)
  const hot = await client.hot('evm')
  await stop()
  const policy = buildSignerPolicy([ethereum], INITIAL_POLICY_LIMITS)
  policy.chains.eth!.treasury = hot
  await writePolicy(join(own, 'policy.json'), policy)
  await assert.rejects(startSigner(own), /treasury of eth is a wallet of this signer/)
})

test('refuses a second signer on the same folder', async () => {
  await assert.rejects(startSigner(folder), /already in use/)
  assert.match(await signer.client.xpub('evm'), /^xpub/)
})

test('reports a signer that does not answer as unavailable', async () => {
  const client = new SignerClient(join(folder, 'missing.sock'), 50)
  await assert.rejects(client.xpub('evm'), SignerUnavailable)
})

test('exits when its standard input closes, as when the parent is killed', async t => {
  const { process, ended } = await (await ownSigner(t)).start()
  process.stdin!.end()
  await ended
  assert.equal(process.exitCode, 0)
})
