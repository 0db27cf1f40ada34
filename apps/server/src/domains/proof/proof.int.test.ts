import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { CallRefused, type ChainView } from '@coffer/chains'
import {
  type MerchantProof,
  ProofError,
  type PublishedProof,
  verifyMerchantProof,
  verifyPublishedProof,
} from '@coffer/core'
import { nodeCrypto } from '@coffer/core/proof/example.fixture.ts'
import type { Scope } from '@coffer/local/testing/postgres.ts'
import { untilBlocked } from '@coffer/local/testing/until.ts'
import { mnemonicToSeedSync } from '@scure/bip39'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { SignerRefused, SignerUnavailable } from '../../signer/client.ts'
import { Keys } from '../../signer/keys.ts'
import { buildSignerPolicy, SANDBOX_POLICY_LIMITS } from '../../signer/policy-file.ts'
import { SigningRecord } from '../../signer/record.ts'
import { answerSignerRequest } from '../../signer/service.ts'
import { followedWorld, paid, payer, withMethods } from '../../testing/followed.ts'
import { testMerchant } from '../../testing/merchants.ts'
import { bsc, eth, firstRow, rowsOf } from '../../testing/money.ts'
import { postEntries } from '../ledger/store.ts'
import { makeDueProof, requestProof } from './jobs.ts'
import { draftProof } from './make-proof.ts'
import { readMerchantProof } from './merchant-proof.ts'
import { deleteDraft, deleteOldParts, insertProof, readDraft, readNewestProof } from './store.ts'

const usdt = `${eth.id}:USDT`
const token = eth.tokens[0]!.contract
const keys = new Keys(mnemonicToSeedSync('legal winner thank year wave sausage worth useful legal winner thank yellow'))

/** A signer inside the test's process. `isDown`: when it has to sign. */
function testSigner(scope: Scope) {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-proof-'))
  const record = new SigningRecord(join(folder, 'signed.jsonl'), 0)
  scope.after(() => {
    record.close()
    rmSync(folder, { recursive: true })
  })
  const policy = buildSignerPolicy([eth, bsc], SANDBOX_POLICY_LIMITS)
  const state = { isDown: false }
  const call = async <T>(message: object): Promise<T> => {
    if (state.isDown && 'proof' in message) throw new SignerUnavailable('the signer is down')
    const parts = { keys, policy, record, now: () => 0 }
    const found = await answerSignerRequest(parts, JSON.stringify({ id: 1, ...message }))
    if ('refused' in found) throw new SignerRefused(found.refused)
    return found.result as T
  }
  const client: Partial<Deps['signer']> = {
    hot: kind => call({ op: 'hot', kind }),
    sweeper: kind => call({ op: 'sweeper', kind }),
    treasury: chain => call({ op: 'treasury', chain }),
    proveAddresses: proof => call({ op: 'prove_addresses', proof }),
    proveStatement: proof => call({ op: 'prove_statement', proof }),
  }
  return { state, client }
}

/** A followed chain with a paid payment of 10 USDT and one that is not final, addresses of the signer's seed. */
async function proofWorld(scope: Scope) {
  const world = await followedWorld(scope)
  const { state, client } = testSigner(scope)
  const { deps, owner, chain } = world
  const use = (view: ChainView) => Object.assign(deps, { chains: new Map([[eth.id, view]]) })
  Object.assign(deps, { addressAt: (kind: 'evm', index: number) => keys.address(kind, index), signer: client })
  use(chain)
  const order = await paid(world)
  const published = async (id?: string): Promise<PublishedProof> => {
    const [row] = await rowsOf(owner, 'select * from proofs where $1::text is null or id = $1 order by id desc', [id])
    const { statement, signature, public_key, pages } = row
    return { format: 'coffer-proof-1', statement, signature, public_key, pages }
  }
  const statement = async () => verifyPublishedProof(nodeCrypto, await published())
  return {
    ...world,
    order,
    signer: state,
    use,
    published,
    statement,
    asset: async (id = usdt) => (await statement()).assets.find(each => each.id === id)!,
    part: async (merchantId = world.merchant.id, id: string | null = null) => {
      const part = await readMerchantProof(deps, merchantId, id)
      assert.ok(part, 'no part')
      return part
    },
    count: async (table: string) => Number((await firstRow(owner, `select count(*) as n from ${table}`)).n),
    /** Moves USDT from one merchant to another. */
    move: (from: string, to: string, amount: bigint, source: string) =>
      postEntries(
        deps.pool,
        [
          {
            group: {
              source,
              postings: [
                {
                  kind: 'transfer',
                  debit: { merchantId: from, part: 'available', assetId: usdt },
                  credit: { merchantId: null, part: 'suspense', assetId: usdt },
                  amount,
                },
                {
                  kind: 'transfer',
                  debit: { merchantId: null, part: 'suspense', assetId: usdt },
                  credit: { merchantId: to, part: 'available', assetId: usdt },
                  amount,
                },
              ],
            },
          },
        ],
        deps.clock(),
      ),
  }
}

const faultOf = (own: MerchantProof, published: PublishedProof, merchant: string): string => {
  try {
    verifyMerchantProof(nodeCrypto, own, published, { merchant })
  } catch (error) {
    assert.ok(error instanceof ProofError, String(error))
    return error.fault
  }
  return 'none'
}

test('a merchant finds the own balance in what is owed, and the difference is what the house earned', async t => {
  const world = await proofWorld(t)
  assert.equal(await makeDueProof(world.deps), true)
  const { owed, held, difference } = await world.asset()
  const balance = await world.balance(usdt)
  assert.deepEqual([owed, held, difference], [balance, '10000000', String(10_000_000n - BigInt(balance))])
  const own = await world.part()
  const found = verifyMerchantProof(nodeCrypto, own, await world.published(), { merchant: world.merchant.mchid })
  assert.deepEqual(
    found.balances.map(each => [each.asset, String(each.balance)]),
    [[usdt, balance]],
  )
  const { chains } = found.statement
  assert.equal(
    chains.find(each => each.id === eth.id)!.block!.number,
    (await firstRow(world.owner, `select final_number as n from chains where id = $1`, [eth.id])).n * 1,
  )
  assert.equal(chains.find(each => each.id === bsc.id)!.reason, 'not_watched')
  const page = JSON.parse((await world.published()).pages[0]!.text)
  assert.deepEqual(
    page.addresses.map((each: { address: string; by: string }) => [each.address.toLowerCase(), each.by]),
    [[world.order.address, 'seed']],
  )
  assert.equal(await makeDueProof(world.deps), false, 'one a day')
  world.deps.pass(86_400)
  assert.equal(await makeDueProof(world.deps), true)
  assert.equal(await world.count('proofs'), 2)
})

test('what is reserved for a payout is owed until it is final, and said to be pending', async t => {
  const world = await proofWorld(t)
  const { merchant, deps } = world
  const held = { merchantId: merchant.id, part: 'held', assetId: usdt } as const
  const available = { ...held, part: 'available' } as const
  const postings = [{ kind: 'withdrawal' as const, debit: available, credit: held, amount: 3_000_000n }]
  await postEntries(deps.pool, [{ group: { source: 'test:reserve', postings } }], deps.clock())
  await makeDueProof(deps)
  const { owed, pending } = await world.asset()
  assert.equal(pending, '3000000')
  assert.equal(owed, String(BigInt(await world.balance(usdt)) + 3_000_000n))
})

test('money that is missing is published as missing', async t => {
  const world = await proofWorld(t)
  world.chain.mine([[{ token, from: world.order.address, to: payer, amount: 9_000_000n }]])
  await world.catchUp()
  await world.confirm()
  await makeDueProof(world.deps)
  const { owed, held, difference } = await world.asset()
  assert.equal(held, '6000000', 'the second deposit is final by now')
  assert.ok(difference!.startsWith('-'))
  assert.equal(BigInt(difference!), 6_000_000n - BigInt(owed))
})

test('two servers at once make one proof, whose parts verify', async t => {
  const world = await proofWorld(t)
  const made = await Promise.all([1, 2, 3].map(() => makeDueProof(world.deps)))
  assert.ok(made.includes(true))
  assert.equal(await world.count('proofs'), 1)
  assert.equal(await world.count('proof_drafts'), 0)
  assert.equal(await world.count('proof_trees'), (await world.statement()).assets.length)
  assert.equal(faultOf(await world.part(), await world.published(), world.merchant.mchid), 'none')
})

test('a server that stores its draft while another publishes that day changes nothing', async t => {
  const world = await proofWorld(t)
  const { deps, signer, owner } = world
  signer.isDown = true
  await assert.rejects(makeDueProof(deps), SignerUnavailable)
  signer.isDown = false
  const { id, statement, pages, created_at } = (await readDraft(deps.pool))!
  let late: Promise<boolean>
  await tx(deps.pool, async c => {
    await insertProof(c, id, JSON.stringify(statement), 'signature', 'key', JSON.stringify(pages), created_at, 1)
    await deleteDraft(c, id)
    late = draftProof(deps, id, { wait: false })
    await untilBlocked(owner)
  })
  await late!
  assert.equal(await world.count('proof_drafts'), 0)
  assert.equal(await world.count('proof_trees'), statement.assets.length)
})

test('killed while it stores a draft, nothing is left; killed before the signature, the same draft is published', async t => {
  const world = await proofWorld(t)
  await world.owner.query(`
    create function fail_for_test() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$;
    create trigger fail_for_test before insert on proof_shares execute function fail_for_test()`)
  await assert.rejects(makeDueProof(world.deps), /killed/)
  for (const table of ['proofs', 'proof_drafts', 'proof_trees', 'proof_chunks'])
    assert.equal(await world.count(table), 0)
  await world.owner.query('drop function fail_for_test() cascade')

  world.signer.isDown = true
  await assert.rejects(makeDueProof(world.deps), SignerUnavailable)
  assert.equal(await world.count('proofs'), 0)
  await assert.rejects(world.part(), /no part/)
  const [draft] = await rowsOf(world.owner, 'select statement from proof_drafts')
  world.signer.isDown = false
  world.deps.pass(600)
  assert.equal(await makeDueProof(world.deps), true)
  const { root } = draft.statement.assets.find((each: { id: string }) => each.id === usdt)
  assert.equal((await world.asset()).root, root)
  assert.equal(faultOf(await world.part(), await world.published(), world.merchant.mchid), 'none')
})

test('balances on which nodes do not agree are waited for, then published as not proven, never as a figure', async t => {
  const world = await proofWorld(t)
  const unsure = (unsureToken: string | null) =>
    withMethods(world.chain, {
      certainBalances: async (of, addresses, block) =>
        of === unsureToken ? addresses.map(() => null) : world.chain.certainBalances(of, addresses, block),
    })
  world.use(unsure(token))
  // From 10:00 to half past midnight.
  world.deps.pass(14.5 * 3_600)
  assert.equal(await makeDueProof(world.deps), false)
  assert.equal(await world.count('proofs'), 0)
  world.deps.pass(2 * 3_600)
  assert.equal(await makeDueProof(world.deps), true)
  const { held, difference, owed } = await world.asset()
  assert.deepEqual([held, difference], [null, null])
  assert.ok(BigInt(owed) > 0n)
  assert.equal((await world.asset(`${eth.id}:USDC`)).held, '0', 'others are proven')
  assert.equal(faultOf(await world.part(), await world.published(), world.merchant.mchid), 'none')
})

test('a chain that is halted, not watched or without answers is not proven', async t => {
  const world = await proofWorld(t)
  const reasonOf = async () => (await world.statement()).chains.find(each => each.id === eth.id)!
  const failing = withMethods(world.chain, { blockAt: async () => null })
  world.use(failing)
  await makeDueProof(world.deps)
  assert.deepEqual([(await reasonOf()).block, (await reasonOf()).reason], [null, 'unread'])
  await world.owner.query(`update chains set halted = 'deep reorg' where id = $1`, [eth.id])
  world.use(world.chain)
  await requestProof(world.deps)
  await makeDueProof(world.deps)
  assert.equal((await reasonOf()).reason, 'halted')
  await world.owner.query('update chains set halted = null, enabled = false where id = $1', [eth.id])
  await requestProof(world.deps)
  await makeDueProof(world.deps)
  assert.equal((await reasonOf()).reason, 'not_watched')
  assert.deepEqual([(await world.asset()).held, (await world.statement()).id.slice(10)], [null, '-3'])
})

test('where nodes keep no past balances, present ones are read, and between which heights is said', async t => {
  const world = await proofWorld(t)
  world.use(
    withMethods(world.chain, {
      certainBalances: async (of, addresses, block) => {
        if (block) throw new CallRefused('no past state', -32_000)
        return world.chain.certainBalances(of, addresses)
      },
    }),
  )
  await makeDueProof(world.deps)
  const { block } = (await world.statement()).chains.find(each => each.id === eth.id)!
  assert.equal(block!.until, (await world.chain.head()).number)
  assert.ok(block!.until! > block!.number)
  assert.equal((await world.asset()).held, '15000000', 'with the deposit that is not final')
})

test('an address of no known key is published as vouched for by nobody', async t => {
  const world = await proofWorld(t)
  const stranger = '0x00000000000000000000000000000000000000ee'
  await world.owner.query(`insert into house_addresses values ('evm', $1, 'hot wallet', 0)`, [stranger])
  world.chain.mine([[{ token, from: payer, to: stranger, amount: 7n }]])
  await world.confirm()
  await makeDueProof(world.deps)
  const page = JSON.parse((await world.published()).pages[0]!.text)
  assert.equal(page.addresses.find((each: { address: string }) => each.address.toLowerCase() === stranger).by, 'none')
})

test('merchants without money or without accounts verify, and many merchants while money moves between them', async t => {
  const world = await proofWorld(t)
  const { merchant, deps } = world
  const second = await testMerchant(deps)
  const third = await testMerchant(deps)
  const before = BigInt(await world.balance(usdt))
  await world.move(merchant.id, second.id, before, 'test:all')
  const moving = Array.from({ length: 10 }, (_, i) =>
    world.move(second.id, merchant.id, BigInt(i + 1), `test:move ${i}`),
  )
  await Promise.all([makeDueProof(deps), ...moving])
  const published = await world.published()
  const parts = [await world.part(), await world.part(second.id)]
  for (const [i, { mchid }] of [merchant, second].entries()) assert.equal(faultOf(parts[i]!, published, mchid), 'none')
  const sum = parts.reduce((total, each) => total + BigInt(each.assets[0]!.balance), 0n)
  assert.equal(sum, before)
  assert.equal((await world.asset()).owed, String(before))
  const none = await world.part(third.id)
  assert.deepEqual(none.assets, [])
  assert.equal(faultOf(none, published, third.mchid), 'none')
  assert.equal(faultOf(parts[0]!, published, third.mchid), 'other_merchant')
  // No leaf of one is in the other's part.
  const places = parts.map(each => each.assets[0]!.leaves.map(leaf => leaf.place))
  assert.equal(new Set(places.flat()).size, places.flat().length)
})

test('rows that are changed after publishing are noticed', async t => {
  const world = await proofWorld(t)
  await makeDueProof(world.deps)
  const { owner, deps, merchant } = world
  const published = await world.published()
  await assert.rejects(deps.pool.query(`update proofs set statement = 'x'`), { code: '42501' })
  await assert.rejects(deps.pool.query('delete from proofs'), { code: '42501' })
  await assert.rejects(deps.pool.query('update proof_shares set leaves = leaves'), { code: '42501' })

  await owner.query(`update proofs set statement = replace(statement, '"held":"10000000"', '"held":"90000000"')`)
  assert.throws(() => verifyPublishedProof(nodeCrypto, { ...published, statement: 'x' }), /signature/)
  await assert.rejects(world.statement(), /signature/)
  await owner.query('update proofs set statement = $1', [published.statement])

  await owner.query(`update proof_shares set leaves = jsonb_set(leaves, '{0,amount}', '"1"')`)
  assert.equal(faultOf(await world.part(), published, merchant.mchid), 'path')
  await owner.query('delete from proof_shares')
  assert.deepEqual((await world.part()).assets, [], 'who is left out sees no balance')
})

test('further proofs of a day are numbered, and each names the one before', async t => {
  const world = await proofWorld(t)
  await makeDueProof(world.deps)
  const first = (await world.published()).statement
  assert.match(await requestProof(world.deps), /-2$/)
  assert.match(await requestProof(world.deps), /-3$/)
  assert.equal(await makeDueProof(world.deps), true)
  assert.equal(await makeDueProof(world.deps), true)
  assert.equal(await makeDueProof(world.deps), false)
  const rows = await rowsOf(world.owner, 'select id, statement from proofs order by id')
  const sha256 = (text: string) => Buffer.from(nodeCrypto.hash(Buffer.from(text))).toString('hex')
  const previous = rows.map(each => JSON.parse(each.statement).previous)
  assert.deepEqual(previous, [null, sha256(first), sha256(rows[1].statement)])
  const day = rows[0].id
  const old = await world.part(world.merchant.id, day)
  const present = await world.part()
  assert.equal(faultOf(old, await world.published(day), world.merchant.mchid), 'none')
  assert.equal(faultOf(present, await world.published(day), world.merchant.mchid), 'other_proof')
  assert.equal(faultOf({ ...present, id: day }, await world.published(day), world.merchant.mchid), 'path')
  const saltsOf = (part: MerchantProof) => part.assets[0]!.leaves.map(each => each.salt)
  assert.equal(new Set([...saltsOf(old), ...saltsOf(present)]).size, saltsOf(old).length + saltsOf(present).length)
})

test('a statement that the signer signed otherwise is never published, and the next day has a proof again', async t => {
  const world = await proofWorld(t)
  await makeDueProof(world.deps)
  // As after a restore of a backup of the database: the signer still knows.
  await world.owner.query(
    'delete from proofs; delete from proof_trees; delete from proof_chunks; delete from proof_shares',
  )
  await assert.rejects(makeDueProof(world.deps), /proof_signed/)
  assert.equal(await world.count('proofs'), 0)
  assert.equal(await makeDueProof(world.deps), false)
  world.deps.pass(86_400)
  assert.equal(await makeDueProof(world.deps), true)
})

test('nothing is published before anybody has an account, and old parts are forgotten', async t => {
  const empty = await followedWorld(t)
  assert.equal(await makeDueProof(empty.deps), false)
  const world = await proofWorld(t)
  await makeDueProof(world.deps)
  await deleteOldParts(world.deps.pool, world.deps.clock() + 1)
  for (const table of ['proof_trees', 'proof_chunks', 'proof_shares']) assert.equal(await world.count(table), 0)
  await assert.rejects(world.part(), /no part/)
  assert.ok(await readNewestProof(world.deps.pool))
})
