import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Chain,
  type ChainDefinition,
  type ChainView,
  defineSandboxChain,
  type Endpoint,
  ethereum,
  tron,
} from '@coffer/chains'
import { makeWorld, tokenBalance, type World } from '@coffer/chains/testing/evm-harness.ts'
import { nearby } from '@coffer/chains/testing/near.ts'
import { type ProxyNode, startProxy } from '@coffer/chains/testing/proxy.ts'
import { startTronFacade, type TronFacade } from '@coffer/chains/tron/facade.ts'
import {
  availableAccount,
  groupPostings,
  heldAccount,
  houseAccount,
  makePosting,
  type ProofStatement,
} from '@coffer/core'
import { withAnvil } from '@coffer/local/testing/anvil.ts'
import type { Scope } from '@coffer/local/testing/postgres.ts'
import { mnemonicToSeedSync } from '@scure/bip39'
import type { Deps } from '../deps.ts'
import { syncChains } from '../domains/chains/sync-chains.ts'
import { postEntries, postings } from '../domains/ledger/store.ts'
import { runSendingPass } from '../domains/outgoing/jobs.ts'
import type { ChainWithExpiry, PayableChain } from '../domains/outgoing/sender.ts'
import { sweepOwner } from '../domains/sweeps/owner.ts'
import type { UnitOfWork } from '../kit/unit-of-work.ts'
import { openChain } from '../outside/open-chain.ts'
import type { OutgoingItem, OutgoingOwner, OutgoingOwners, Payout } from '../owner.ts'
import { buildDryRunMessage, SignerRefused, SignerUnavailable } from '../signer/client.ts'
import type { Exposure } from '../signer/exposure.ts'
import { Keys } from '../signer/keys.ts'
import type { SignerPolicy } from '../signer/policy.ts'
import { buildSignerPolicy, SANDBOX_POLICY_LIMITS } from '../signer/policy-file.ts'
import type { ReservePageRequest, SignedProofText } from '../signer/proof.ts'
import type { ReleaseCheckRequest, ReleaseSite, SignerRefusal, SignRequest, Treasury } from '../signer/protocol.ts'
import { SigningRecord } from '../signer/record.ts'
import { answerSignerRequest } from '../signer/service.ts'
import { type TestDeps, testDatabase, withDeps } from './deps.ts'
import { catchUp } from './followed.ts'
import { testMerchant } from './merchants.ts'
import { firstRow, fixedPrices, rowsOf } from './money.ts'
import { watchOnce } from './watch-once.ts'

/** Confirmations of transactions in tests. */
export const CONFIRMATIONS = 3
const ether = 10n ** 18n

/** Keys of the signers of all worlds, as deriving them takes longer than most of what a test does. */
const signerKeys = new Keys(
  mnemonicToSeedSync('legal winner thank year wave sausage worth useful legal winner thank yellow'),
)

/**
 * A signer inside the test's process: real keys, policy and record. `isDown` makes it silent, always or only when it
 * has to sign.
 */
function testSigner(scope: Scope, definitions: ChainDefinition[]) {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-test-signer-'))
  const now = () => signer.now()
  const record = new SigningRecord(join(folder, 'signed.jsonl'), 0)
  scope.after(() => {
    record.close()
    rmSync(folder, { recursive: true })
  })
  const signer = {
    keys: signerKeys,
    isDown: false as boolean | 'to sign',
    now: () => Math.floor(Date.now() / 1_000),
    policy: buildSignerPolicy(definitions, SANDBOX_POLICY_LIMITS) as SignerPolicy,
    /** Runs before each signature; may throw. */
    before: async (_request: SignRequest) => {},
    signed: [] as SignRequest[],
    async call<T>(message: object): Promise<T> {
      if (signer.isDown === true) throw new SignerUnavailable('the signer is down')
      const found = await answerSignerRequest(
        { keys: signer.keys, policy: signer.policy, record, now },
        JSON.stringify({ id: 1, ...message }),
      )
      if ('refused' in found) throw new SignerRefused(found.refused)
      return found.result as T
    },
    hot: (kind: ChainDefinition['kind']) => signer.call<string>({ op: 'hot', kind }),
    sweeper: (kind: ChainDefinition['kind']) => signer.call<string>({ op: 'sweeper', kind }),
    holdsDeposits: (kind: ChainDefinition['kind']) => signer.call<boolean>({ op: 'holdsDeposits', kind }),
    treasury: (chain: string) => signer.call<Treasury | null>({ op: 'treasury', chain }),
    exposure: () => signer.call<Exposure>({ op: 'exposure' }),
    releaseSites: () => signer.call<ReleaseSite[]>({ op: 'releaseSites' }),
    dryRun: (request: SignRequest, before: readonly SignRequest[]) =>
      signer.call<(SignerRefusal | null)[]>(buildDryRunMessage(request, before)),
    proveAddresses: (proof: ReservePageRequest) => signer.call<SignedProofText>({ op: 'prove_addresses', proof }),
    proveStatement: (proof: ProofStatement) => signer.call<SignedProofText>({ op: 'prove_statement', proof }),
    isReleased: (payout: ReleaseCheckRequest) => signer.call<boolean>({ op: 'released', payout }),
    async sign(request: SignRequest) {
      if (signer.isDown) throw new SignerUnavailable('the signer is down')
      await signer.before(request)
      const signed = await signer.call<Awaited<ReturnType<TestDeps['signer']['sign']>>>({ op: 'sign', request })
      signer.signed.push(request)
      return signed
    },
  }
  return signer
}

const testPayouts = `create table test_payouts (owner text, merchant_id text, id text primary key, chain_id text, asset_id text, token text,
    "to" text, amount numeric, since bigint, due boolean default true, log text[] default '{}');
  grant all on test_payouts to coffer_app`

/**
 * An owner of payouts that stores them, and the events reported to it, in a table. Each is reserved and posted like a
 * withdrawal.
 */
function testOwner(clock: () => number, definition: ChainDefinition): OutgoingOwner {
  const idsOf = (items: readonly OutgoingItem[]) => items.map(each => each.id)
  const record = async (uow: UnitOfWork, items: readonly OutgoingItem[], what: string) => {
    await uow.c.query('update test_payouts set due = false, log = log || $2::text where id = any($1)', [
      idsOf(items),
      what,
    ])
  }
  const waitsOf = (log: string[]) => (log.at(-1) ?? '').match(/^waits: (.*)/)?.[1] ?? ''
  return {
    due: async (c, chainId, limit) => {
      const { rows } = await c.query(
        'select * from test_payouts where chain_id = $1 and due order by since, id limit $2',
        [chainId, limit],
      )
      return rows.map(row => ({
        ...row,
        amount: BigInt(row.amount),
        since: Number(row.since),
        waits: waitsOf(row.log),
      }))
    },
    unassigned: async (c, chainId, limit) => {
      const { rows } = await c.query(
        'select owner, merchant_id, id, amount from test_payouts where chain_id = $1 and due order by id limit $2',
        [chainId, limit],
      )
      return rows.map(row => ({ ...row, amount: BigInt(row.amount) }))
    },
    sent: async (uow, items) => {
      const { rowCount } = await uow.c.query('select 1 from test_payouts where id = any($1) and due for update', [
        idsOf(items),
      ])
      await record(uow, items, 'sent')
      return rowCount === items.length
    },
    unsent: async (uow, { id }, event, reason) => {
      const { rowCount } = await uow.c.query(
        `update test_payouts set due = $2, log = log || $3::text where id = $1 and due and not $3 = any(log)`,
        [id, event === 'waits', `${event}: ${reason}`],
      )
      return rowCount === 1
    },
    inBlock: (uow, items) => record(uow, items, 'in block'),
    outOfBlock: (uow, items) => record(uow, items, 'out of block'),
    final: async (uow, items) => {
      await record(uow, items, 'final')
      for (const { merchant_id: merchantId, id, amount } of items) {
        const { rows } = await uow.c.query('select asset_id from test_payouts where id = $1', [id])
        const assetId = rows[0].asset_id
        const paid = makePosting('withdrawal', heldAccount(merchantId, assetId), houseAccount('chain', assetId), amount)
        uow.add(postings, [{ group: groupPostings(`test:${definition.id}:${id}`, [paid]), at: clock() }])
      }
    },
    failed: (uow, items, reason) => record(uow, items, `failed: ${reason}`),
    voided: (uow, items, reason) => record(uow, items, `voided: ${reason}`),
    takenBack: async (uow, items, reason) => {
      await record(uow, items, `taken back: ${reason}`)
      await uow.c.query('update test_payouts set due = true where id = any($1)', [idsOf(items)])
    },
    restored: (uow, items) => record(uow, items, 'restored'),
    undone: (uow, items, reason) => record(uow, items, `undone: ${reason}`),
    made: (uow, items) => record(uow, items, 'made'),
  }
}

/**
 * `roots`: whether blocks of the Ethereum-like chain can be verified; `surcharge`: what it may charge beyond gas;
 * `more`: tokens besides USDT; `siblings`: what is taken for them.
 */
type Given = {
  nodes?: number
  roots?: boolean
  surcharge?: ChainDefinition['surcharge']
  funded?: boolean
  more?: (world: World) => ChainDefinition['tokens']
  siblings?: (world: World) => ChainDefinition['siblings']
}

/**
 * A local chain behind `nodes` proxies, a signer with a funded hot wallet, a followed chain, and an owner of payouts.
 */
export const payoutWorld = (t: Scope, given: Given = {}) =>
  worldOf<ProxyNode, Chain>(
    t,
    {
      kind: { ...ethereum, roots: given.roots ?? true, ...(given.surcharge && { surcharge: given.surcharge }) },
      coins: 10n * ether,
      start: async url => nearby(await startProxy(url)),
    },
    given,
  )

/** The same on TRON, emulated over the local chain, which charges the price of energy for gas and nothing else. */
export async function tronPayoutWorld(t: Scope, given: Given = {}) {
  const w = await worldOf<TronFacade, ChainWithExpiry>(
    t,
    { kind: tron, coins: 10_000_000_000n, start: async url => nearby(await startTronFacade(url)) },
    given,
  )
  return {
    ...w,
    /** Lets time pass for the server, the signer and the chain. */
    later: async (seconds: number) => {
      w.deps.pass(seconds)
      // Times of blocks follow the clock of the machine, and grow by a second at least.
      const { timestamp } = await w.call<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false)
      const next = Number(timestamp) + 1
      if (w.deps.clock() < next) w.deps.pass(next - w.deps.clock())
      await w.call('evm_setNextBlockTimestamp', `0x${w.deps.clock().toString(16)}`)
      await w.mine(CONFIRMATIONS + 1)
    },
  }
}

type Started = Endpoint & { stop: () => Promise<void> }

/** What opens a world of a kind of chain: its definition, what it starts with, and its nodes. */
interface Kind<Node> {
  kind: ChainDefinition
  coins: bigint
  start: (url: string) => Promise<Node>
}

async function worldOf<Node extends Started, Of extends PayableChain>(t: Scope, of: Kind<Node>, given: Given) {
  const { kind } = of
  const { world, proxies, definition } = await openNodes(t, of, given)
  const signer = testSigner(t, [definition])
  const addressAt = watchOnce(kind.kind, signer.keys.xpub(kind.kind))
  const deps = await openDeps(t, kind, { signer, addressAt: (_, index) => addressAt(index) })
  signer.now = deps.clock
  const endpoints = proxies.map(each => ('http' in each ? { url: each.url, urls: { http: String(each.http) } } : each))
  const chain = openChain({ definition, nodes: endpoints }, deps.log) as ChainView as Of
  ;(deps.chains as Map<string, ChainView>).set(definition.id, chain)
  await syncChains(deps)
  const merchant = await testMerchant(deps)
  const owners: OutgoingOwners = { withdrawal: testOwner(deps.clock, definition), sweep: sweepOwner(deps) }
  const hot = await signer.hot(kind.kind)
  if (given.funded ?? true) {
    await world.call('anvil_setBalance', hot, `0x${of.coins.toString(16)}`)
    await world.pay([[{ token: world.token, to: hot, amount: 1_000_000_000n }]])
  }
  await world.mine(CONFIRMATIONS)
  await catchUp(deps, chain)
  const refusals = new Map<string, number>()
  // Stores the wallet.
  await runSendingPass(deps, chain, owners, refusals)
  return {
    ...world,
    proxies,
    definition,
    signer,
    deps,
    chain,
    merchant,
    owners,
    hot,
    receiver: receiverAt,
    addressAt,
    ask: payoutsFor(deps, { merchantId: merchant.id, definition, token: world.token }),
    /** One pass of the engine, by default of this process. */
    pass: (as: TestDeps = deps) => runSendingPass(as, chain, owners, refusals),
    /** Mines and follows blocks. */
    mine: async (blocks = 1) => {
      await world.mine(blocks)
      await catchUp(deps, chain)
    },
    /** Mines until what is in the next block is final. */
    confirm: async () => {
      await world.mine(CONFIRMATIONS)
      await catchUp(deps, chain)
      await runSendingPass(deps, chain, owners, refusals)
    },
    log: async (id: string): Promise<string[]> =>
      (await firstRow(deps.owner, 'select log from test_payouts where id = $1', [id])).log,
    outgoing: () => rowsOf(deps.owner, 'select * from outgoing order by from_address, nonce'),
    attempts: () => rowsOf(deps.owner, 'select * from outgoing_attempts order by from_address, nonce, attempt'),
    balance: (address: string) => tokenBalance(world, world.token, address),
  }
}

/** Starts a local chain with its nodes, and defines it. */
async function openNodes<Node extends Started>(
  t: Scope,
  { kind, start }: Kind<Node>,
  { nodes = 1, more = () => [], siblings = () => [] }: Given,
) {
  const world = await makeWorld((await withAnvil(t)).url)
  // What TRON charges is the price of energy alone.
  if (kind.kind === 'tron') await world.call('anvil_setNextBlockBaseFeePerGas', '0x0')
  const proxies: Node[] = await Promise.all(Array.from({ length: nodes }, () => start(world.url)))
  for (const proxy of proxies) t.after(proxy.stop)
  const definition = defineSandboxChain(kind, {
    chainId: 31_337,
    confirmations: CONFIRMATIONS,
    blockTime: 1,
    tokens: [{ symbol: 'USDT', contract: world.token, decimals: 6 }, ...more(world)],
    siblings: siblings(world) ?? [],
  })
  return { world, proxies, definition }
}

/** Dependencies of a server without chains, whose clock is the chain's where transactions expire by it. */
async function openDeps(t: Scope, { kind }: ChainDefinition, own: Pick<Deps, 'signer' | 'addressAt'>) {
  const prices = fixedPrices({ USDT: '1', USDC: '1', ETH: '2500', TRX: '0.25' }, () => 0)
  const database = await testDatabase(t, { tables: testPayouts })
  const given = { ...own, database, prices, chains: new Map<string, ChainView>() }
  if (kind !== 'tron') return withDeps(t, given)
  let ahead = 0
  const began = Math.floor(Date.now() / 1_000)
  const deps = await withDeps(t, { ...given, clock: () => began + ahead })
  const pass = (seconds: number) => {
    ahead += seconds
  }
  return { ...deps, pass }
}

const hex4 = (n: number) => n.toString(16).padStart(4, '0')
/** Addresses of which none looks like another. */
const receiverAt = (n: number) => `0x${hex4(n)}${'b'.repeat(32)}${hex4(n)}`

/** Returns what requests a payout, by default of 5 USDT to an address of its own. */
function payoutsFor(
  deps: Awaited<ReturnType<typeof openDeps>>,
  { merchantId, definition, token }: { merchantId: string; definition: ChainDefinition; token: string },
) {
  const coin = definition.native.symbol
  let count = 0
  return async ({ since = deps.clock() - 200 + count, ...requested }: Partial<Payout> & { since?: number } = {}) => {
    const n = ++count
    const payout = { token: token as string | null, to: receiverAt(n), amount: 5_000_000n, ...requested }
    const asset = `${definition.id}:${payout.token ? 'USDT' : coin}`
    await deps.owner.query(
      `insert into test_payouts (owner, merchant_id, id, chain_id, asset_id, token, "to", amount, since)
         values ('withdrawal', $1, $2, $3, $4, $5, $6, $7, $8)`,
      [merchantId, `w${n}`, definition.id, asset, payout.token, payout.to, String(payout.amount), since],
    )
    const free = availableAccount(merchantId, asset)
    const reserved = heldAccount(merchantId, asset)
    const given = makePosting('adjustment', houseAccount('chain', asset), free, payout.amount)
    const reserve = makePosting('withdrawal', free, reserved, payout.amount)
    await postEntries(deps.pool, [{ group: groupPostings(`test:reserve:${n}`, [given, reserve]) }], deps.clock())
    return { id: `w${n}`, ...payout }
  }
}

export type PayoutWorld = Awaited<ReturnType<typeof payoutWorld>>

/** Has what is due sent, mined, noticed and final. */
export async function settle(w: Pick<PayoutWorld, 'pass' | 'mine' | 'confirm'>): Promise<void> {
  await w.pass()
  await w.mine()
  await w.pass()
  await w.confirm()
}
