/** A piece of source as it is written in a file of the product, and what is loaded in its place. */
export type Cut = { file: string; from: string; to: string }

/** Something that keeps money right, and how to take it away. `sql` spoils each seed's database. */
export type Guard = { name: string; cuts: Cut[]; sql?: string[] }

const server = 'apps/server/src/'
const evm = 'packages/chains/src/evm/'
const jsonrpc = 'packages/chains/src/jsonrpc/'
const follower = 'packages/chains/src/follower.ts'

/** Leaves a piece of a file out. */
const without = (file: string, from: string, to = ''): Cut => ({ file, from, to })

export const guards: Guard[] = [
  {
    name: 'nodes are asked for the hash of a block before it is final',
    cuts: [without(follower, 'undisputed: await this.#undisputed(event)', 'undisputed: true')],
  },
  {
    name: 'a node ahead of all others does not decide alone',
    cuts: [
      without(
        `${jsonrpc}blocks.ts`,
        'yes > answers.length - yes',
        "yes * 2 > answers.filter(each => typeof each === 'string').length",
      ),
      without(`${jsonrpc}blocks.ts`, ' && yes >= (this.#nodes.size > 2 ? 2 : 1)'),
    ],
  },
  {
    name: 'while the others fail one node does not decide',
    cuts: [
      without(`${jsonrpc}nodes.ts`, 'asked.length > 0 ? asked : this.#inOrder()', 'this.#inOrder()'),
      without(`${jsonrpc}blocks.ts`, ' && yes >= (this.#nodes.size > 2 ? 2 : 1)'),
    ],
  },
  {
    name: 'a deposit waits for its confirmations',
    cuts: [
      without(follower, 'const deepest = this.#head!.number - this.#depth + 1', 'const deepest = this.#head!.number'),
      without(follower, 'agreesOn(last, this.#depth)', 'agreesOn(last)'),
    ],
  },
  {
    name: 'a block must have the last one as its parent',
    cuts: [
      without(follower, 'read.first.parentHash === last.hash', 'true'),
      without(`${server}commands/apply-blocks.ts`, 'parentHash !== hash', 'false'),
    ],
  },
  {
    name: 'the logs that a bloom promises are asked for again',
    cuts: [without(`${evm}watch.ts`, 'if (doubtful.length === 0) return', 'return')],
  },
  {
    name: 'only contracts on the list count',
    cuts: [
      without(`${evm}watch.ts`, 'address: tokens, ', ''),
      without(
        `${jsonrpc}logs.ts`,
        "if (!blocks) throw new Error('a log that was not asked for')\n      blocks.add(block.number)",
        'blocks?.add(block.number)',
      ),
      without(
        `${server}store/deposits.ts`,
        "coalesce(s.contract, '') = coalesce(t.token, '')",
        "coalesce(s.contract, '') = case when t.token in (select contract from assets) or t.token is null then coalesce(t.token, '') else (select min(contract) from assets y where y.chain_id = $1) end",
      ),
    ],
  },
  {
    name: 'coin of a transaction that failed does not count',
    cuts: [without(`${evm}watch.ts`, "return receipts[i]!.status === 'success'", 'return true')],
  },
  {
    name: 'what counts is what arrived, not what the payer was charged',
    cuts: [
      without(
        `${jsonrpc}logs.ts`,
        'const amount = BigInt(log.data)\n',
        `const amount = BigInt(log.data) + logs.filter(each => each.transactionHash === log.transactionHash &&
          each.address === log.address && each.topics[2]!.endsWith('fe')).reduce((sum, each) => sum + BigInt(each.data), 0n)\n`,
      ),
    ],
  },
  {
    name: 'a deposit is known by its place within the transaction, not within the block',
    cuts: [without(`${jsonrpc}logs.ts`, 'const ordinal = ordinals.get(token) ?? 0', 'const ordinal = logIndex')],
  },
  {
    name: 'one transfer is one deposit (unique key)',
    cuts: [
      without(
        `${server}commands/apply-transfers.ts`,
        'await depositsOfTransfers(c, chain.id, keys)',
        '[] as StoredDeposit[]',
      ),
      without(
        `${server}store/deposits.ts`,
        'on conflict (chain_id, txid, asset_id, ordinal)',
        'on conflict (merchant_id, id)',
      ),
    ],
    sql: ['drop index deposits_once'],
  },
  {
    name: 'a deposit is looked up before it is taken for new',
    cuts: [
      without(
        `${server}commands/apply-transfers.ts`,
        'await depositsOfTransfers(c, chain.id, keys)',
        '[] as StoredDeposit[]',
      ),
    ],
  },
  {
    name: 'a source is posted once (unique key of the ledger)',
    cuts: [without('packages/core/src/deposits/credit.ts', ', postings)', '.source + crypto.randomUUID(), postings)')],
    sql: ['alter table ledger_groups drop constraint ledger_groups_source_key cascade'],
  },
  {
    name: 'what was seen in blocks that are left is dropped',
    cuts: [without(`${server}commands/apply-reorg.ts`, 'for (const deposit of deposits) batch.drop(deposit)')],
  },
  {
    name: 'a chain that leaves final blocks is halted',
    cuts: [
      without(follower, 'if (ours.number <= this.#final) return this.#halt(ours)'),
      without(`${server}commands/apply-reorg.ts`, "each.state === 'credited' && !each.doubted", 'false'),
    ],
  },
  {
    name: 'native balances of lost blocks are forgotten',
    cuts: [without(`${server}commands/apply-reorg.ts`, 'await forgetNativeChecks(c, chain.id, ancestor.number)')],
  },
  {
    name: 'balances that a node tells of a fork of its own are not believed',
    cuts: [
      without(`${server}commands/find-native.ts`, ' || !(await chain.agreesOn(block))', ''),
      without(`${server}commands/find-native.ts`, 'if (ours && ours.hash !== block.hash) return 0'),
    ],
  },
  {
    name: 'balances that most nodes contradict are not believed',
    cuts: [without(`${server}commands/find-native.ts`, 'if (!isSo) balances.delete(address)')],
  },
  {
    name: 'coin that a block did show is not found again',
    cuts: [without(`${server}commands/find-native.ts`, ' - BigInt(watch.seen)')],
  },
  {
    name: 'all that changes money is one transaction',
    cuts: [
      without(`${server}store/db.ts`, "await c.query('begin')"),
      without(`${server}store/db.ts`, "await c.query('commit')"),
    ],
  },
  {
    name: 'callbacks are queued in the transaction of what they tell',
    cuts: [
      without(
        `${server}commands/payment-changes.ts`,
        'await enqueueCallbacks(c, callbacks)',
        'await enqueueCallbacks(deps.pool, callbacks)',
      ),
    ],
  },
  {
    name: 'callbacks of a payment wait for the earlier ones',
    cuts: [without(`${server}store/callback-lease.ts`, 'and e.seq < c.seq', 'and false')],
  },
  {
    name: 'a chain is changed by one at a time',
    cuts: [
      without(`${server}store/chains.ts`, 'from chains where id = $1 for no key update`', 'from chains where id = $1`'),
    ],
  },
  {
    name: 'a payment is changed by one at a time',
    cuts: [
      without(
        `${server}store/payments.ts`,
        'p.trade_no = any($1) order by p.trade_no for no key update of p`',
        'p.trade_no = any($1) order by p.trade_no`',
      ),
      without(
        `${server}store/payments.ts`,
        'p.merchant_id = $1 and p.trade_no = $2 for no key update of p`',
        'p.merchant_id = $1 and p.trade_no = $2`',
      ),
    ],
  },
  {
    name: 'money belongs to the payment whose lease had begun',
    cuts: [
      without(
        `${server}store/deposits.ts`,
        'order by a.since <= t.time desc, abs(a.since - t.time)',
        'order by a.since',
      ),
    ],
  },
  {
    name: 'an address is leased again only when it is free',
    cuts: [
      without(`${server}store/addresses.ts`, 'and d.free_at <= $3\n', 'and $3 > 0\n'),
      without(
        `${server}store/addresses.ts`,
        'and (p.status in (1, 8) or p.pending_amount > 0 or p.expire_at > $3)',
        'and false',
      ),
    ],
  },
  {
    name: 'amounts at a fixed address are different ones',
    cuts: [without(`${server}commands/payment-place.ts`, 'while (reserved.has(amount)) amount += step')],
  },
  {
    name: 'nothing times out while its chain is not read',
    cuts: [without(`${server}store/payments.ts`, '.halted is null and (', '.id is not null or (')],
  },
  {
    name: 'nothing times out while its money is on its way',
    cuts: [without(`${server}store/payments.ts`, "and d.state = 'seen' and not d.late)", 'and false)')],
  },
  {
    name: 'a price must be fresh',
    cuts: [without(`${server}outside/prices/judge.ts`, 'row.at >= now - oldestSeconds && ', '')],
  },
  {
    name: 'sources of a price must agree',
    cuts: [without(`${server}outside/prices/judge.ts`, 'if ((high - low) * 100n > low * farthestPercent) return null')],
  },
  {
    name: 'one source of a price is not enough',
    cuts: [without(`${server}outside/prices/judge.ts`, 'fresh.length < fewestSources || ')],
  },
  {
    name: 'an order is one payment (unique key)',
    cuts: [
      without(`${server}commands/create-payment.ts`, 'if (first) return first'),
      without(
        `${server}store/payments.ts`,
        'on conflict (merchant_id, appid, out_trade_no) do nothing returning 1',
        'returning 1',
      ),
    ],
    sql: ['alter table payments drop constraint payments_merchant_id_out_trade_no_appid_key'],
  },
  {
    name: 'late money does not make a payment paid',
    cuts: [
      without(
        'packages/core/src/payments/decide.ts',
        "if (late) return { payment: { ...payment, late: payment.late + counted }, callbacks: ['payment.late'] }",
      ),
    ],
  },
  {
    name: 'late money does not complete a part that came in time',
    cuts: [
      without(
        'packages/core/src/payments/decide.ts',
        'payment.paid - payment.late >= enough(payment)',
        'payment.paid >= enough(payment)',
      ),
    ],
  },
  {
    name: 'rates are those of the creation',
    cuts: [
      without(
        `${server}commands/choose-asset.ts`,
        'const rate = row.token_rates[asset.symbol]\n',
        'const rate = (await quoteInUsdt(deps, [asset.symbol]))[asset.symbol]\n',
      ),
      without(
        `${server}commands/choose-asset.ts`,
        'import { placeAtFixed,',
        "import { quoteInUsdt } from './locked-rates.ts'\nimport { placeAtFixed,",
      ),
    ],
  },
  {
    name: 'figures are written in the transaction of what they count',
    cuts: [
      without(`${server}commands/payment-changes.ts`, 'await addStatistics(c, [', 'await addStatistics(deps.pool, ['),
    ],
  },
]
