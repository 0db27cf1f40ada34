// second-server: runs all migrations, triggers and functions over the data of a shop
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Chain } from '@coffer/chains'
import { codeNameOf, paymentStatus } from '@coffer/contract'
import { withPostgres } from '@coffer/local/testing/postgres.ts'
import pg from 'pg'
import { webhookSecretSealPlace } from '../domains/applications/store.ts'
import { syncChains } from '../domains/chains/sync-chains.ts'
import { applyBlocks } from '../domains/deposits/apply-blocks.ts'
import { bindInstallation } from '../domains/installation/fingerprints.ts'
import { makeTestDeps } from '../testing/deps.ts'
import { assertBooksAgree } from '../testing/invariants.ts'
import { addressAt, eth as ethereum, firstRow, rowsOf } from '../testing/money.ts'
import { appRoleConnectionOptions } from './app-role.ts'
import { migrate } from './migrate.ts'

const folder = new URL('./released/', import.meta.url)

/**
 * A small shop as a released version left it: four payments of which one is paid, one partly, one open, and one has a
 * deposit without its confirmations. docs/recipes/release.md says how to add one.
 */
interface Release {
  /** The last migration of the release. */
  migration: string
  merchant: string
  secret: string
  payments: Record<'paid' | 'partial' | 'open' | 'seen', string>
  tables: Record<string, object[]>
}

/** The chain by the name that it has in the releases' tables. */
const eth = { ...ethereum, id: 'eth-sandbox' }

const hashOf = (number: number) => `0x${createHash('sha256').update(String(number)).digest('hex')}`

/** The next block of the chain, with a payment in full if one is given, which also makes final what it settles. */
async function nextBlock(owner: pg.Pool, paid?: { address: string; amount: string }) {
  const tip = (
    await rowsOf(
      owner,
      'select number::int, hash, time from chain_blocks where chain_id = $1 order by number desc limit 1',
      [eth.id],
    )
  )[0]
  const number = tip.number + 1
  const block = { number, hash: hashOf(number), parentHash: tip.hash, time: tip.time + eth.blockTime }
  const transferOf = ({ address, amount }: { address: string; amount: string }) => ({
    chain: eth.id,
    txid: hashOf(-1),
    blockNumber: number,
    blockHash: block.hash,
    blockTime: block.time,
    logIndex: 0,
    ordinal: 0,
    token: eth.tokens[0]!.contract,
    from: '0x00000000000000000000000000000000000000aa',
    to: address,
    amount: BigInt(amount),
  })
  const transfers = paid ? [transferOf(paid)] : []
  const final = number - eth.confirmations + 1
  const read = { from: number, parentHash: tip.hash, block, transfers, asOf: 1_000 }
  // The chain still has what the older version has seen.
  const seen = await rowsOf(
    owner,
    `select d.chain_id as chain, txid, block_number::int as "blockNumber", block_hash as "blockHash", block_time::int as "blockTime",
       log_index as "logIndex", ordinal, contract as token, from_address as from, to_address as to, amount
     from deposits d join assets s on s.id = d.asset_id where state = 'seen' and block_number <= $1`,
    [final],
  )
  const settled = seen.map(each => ({ ...each, amount: BigInt(each.amount) }))
  return { type: 'block' as const, ...read, final, settled, settledFrom: 0 }
}

for (const file of readdirSync(folder)) {
  test(`a shop of version ${file.replace('.json', '')} keeps its money and takes more`, async t => {
    const release: Release = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
    const { url } = await withPostgres(t)
    await migrate(url, release.migration)
    const pools = [appRoleConnectionOptions, '-c session_replication_role=replica', ''].map(
      options => new pg.Pool({ connectionString: url, options, max: 4 }),
    ) as [pg.Pool, pg.Pool, pg.Pool]
    for (const each of pools) each.on('error', () => {}).on('connect', client => client.on('error', () => {}))
    t.after(() => Promise.all(pools.map(each => each.end())))
    const [pool, restore, owner] = pools
    for (const [table, rows] of Object.entries(release.tables))
      await restore.query(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`, [
        JSON.stringify(rows),
      ])

    await migrate(url)
    const deps = makeTestDeps({
      pool,
      addressAt,
      config: { secret: release.secret },
      chains: new Map([[eth.id, { definition: eth, blockAt: async () => null } as unknown as Chain]]),
    })
    await bindInstallation(deps)
    await syncChains(deps)
    await assertBooksAgree(owner)
    const account = `${release.merchant}/available/${eth.id}:USDT`
    const balance = async () =>
      (await firstRow(owner, 'select balance from ledger_accounts where id = $1', [account])).balance
    assert.equal(await balance(), '13944000')
    const { appid, webhook_secret } = await firstRow(owner, 'select appid, webhook_secret from applications')
    assert.match(deps.seal.open(webhook_secret, webhookSecretSealPlace(appid)), /^whsec_/)

    const payment = async (trade_no: string) => {
      const row = await firstRow(owner, 'select status, address, amount from payments where trade_no = $1', [trade_no])
      return { ...row, state: codeNameOf(paymentStatus, row.status) }
    }
    const states = async () =>
      Promise.all(Object.values(release.payments).map(async each => (await payment(each)).state))
    const before = await states()
    assert.equal(before[0], 'paid')
    const open = await payment(release.payments.open)
    for (let i = 0; i <= eth.confirmations; i++) {
      const event = await nextBlock(owner, i === 0 ? open : undefined)
      assert.ok(await applyBlocks(deps, { chainId: eth.id, event }))
    }
    assert.deepEqual(await states(), ['paid', before[1], 'paid', 'paid'])
    assert.equal(await balance(), String(13_944_000 + 9_960_000 + 24_900_000))
    await assertBooksAgree(owner)
  })
}
