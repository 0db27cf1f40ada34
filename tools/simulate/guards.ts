import type { Replacement } from './markers.ts'

/**
 * A safeguard against wrong credits and how to remove it. `without` maps markers in the source to replacements (see
 * `markers.ts`); `sql` is run in each seed's database. `test` is the path of a test that must notice in place of seeds.
 */
export type Guard = { name: string; without: Record<string, Replacement>; sql?: string[]; test?: string }

/** Moves parts of a unit of work out of its transaction, by a commit before and a begin after each. */
const outside = (...parts: string[]) => {
  const isOutside = `${JSON.stringify(parts)}.includes(name)`
  return (guarded: string) =>
    `if (${isOutside}) await this.c.query('commit'); ${guarded}; if (${isOutside}) await this.c.query('begin')`
}

export const guards: Guard[] = [
  {
    name: 'nodes are asked for the hash of a block before it is final',
    without: { 'final-agreed': 'true' },
  },
  {
    name: 'a node ahead of all others does not decide alone',
    without: {
      majority: 'return yes * 2 > answers.filter(each => !(each instanceof Error)).length',
      'two-nodes': '',
    },
  },
  {
    name: 'while the others fail one node does not decide',
    without: { 'failing-nodes-count': 'false', 'two-nodes': '' },
  },
  {
    name: 'a deposit waits for its confirmations',
    without: { depth: '', 'depth-agreed': '1' },
  },
  {
    name: 'a block must have the last one as its parent',
    without: { 'parent-read': 'return true', 'parent-stored': '' },
  },
  {
    name: 'most nodes must count the confirmations',
    without: { 'depth-agreed': '1' },
  },
  {
    name: 'blocks of a range follow each other',
    without: { 'range-linked': '' },
  },
  {
    name: 'a node of another chain does not count',
    without: { 'chain-id': '', genesis: '' },
  },
  {
    name: 'a block is read for all addresses',
    without: { 'all-addresses': '' },
  },
  {
    name: 'a header hashes to its hash',
    without: { 'header-hash': '' },
  },
  {
    name: 'where a hash does not commit to the time, most nodes tell it',
    without: { 'time-agreed': '' },
    test: 'packages/chains/src/evm/quorum.int.test.ts',
  },
  {
    name: 'transactions are those that the header commits to',
    without: { 'transactions-root': '' },
  },
  {
    name: 'receipts are those that the header commits to',
    without: { 'receipts-root': '' },
  },
  {
    name: 'only contracts on the list count',
    without: {
      'contract-of-log': 'false',
      'contract-of-asset':
        guarded => `case when t.token in (select contract from assets) or t.token is null then ${guarded}
        else s.contract = (select min(contract) from assets y where y.chain_id = $1) end`,
    },
  },
  {
    name: 'coin of a transaction that failed does not count',
    without: { status: 'true' },
  },
  {
    name: 'what counts is what arrived, not what the payer was charged',
    without: {
      'amount-of-log': guarded =>
        `${guarded} + (receipt.logs as RawLog[]).filter(each => each.address === log.address && each.topics[2]!.endsWith('fe')).reduce((sum, each) => sum + BigInt(each.data), 0n)`,
    },
  },
  {
    name: 'a deposit is known by its place within the transaction, not within the block',
    without: { ordinal: 'at' },
  },
  {
    name: 'one transfer is one deposit (unique key)',
    without: { 'known-deposits': '[]', 'deposit-key': 'merchant_id, id)' },
    sql: ['drop index deposits_once'],
  },
  {
    name: 'a deposit is looked up before it is taken for new',
    without: { 'known-deposits': '[]' },
  },
  {
    name: 'a source is posted once (unique key of the ledger)',
    without: { 'credit-source': 'crypto.randomUUID()' },
  },
  {
    name: 'what most nodes deny at its depth is dropped',
    without: { denied: '' },
  },
  {
    name: 'a credited deposit that is something else now stays in doubt',
    without: { 'changed-credit': '' },
    test: 'apps/server/src/domains/deposits/reorg.int.test.ts',
  },
  {
    name: 'what was seen in blocks that are left is dropped',
    without: { 'drop-lost': '' },
    test: 'apps/server/src/domains/deposits/reorg.int.test.ts',
  },
  {
    name: 'a chain that leaves final blocks is halted',
    without: { 'deep-reorg-read': '', 'deep-reorg-stored': 'const isDeep = false' },
  },
  {
    name: 'native balances of lost blocks are forgotten',
    without: { 'forget-balances': '' },
  },
  {
    name: 'balances that a node tells of a fork of its own are not believed',
    without: { 'balance-block-agreed': '', 'balance-block-ours': '' },
  },
  {
    name: 'balances that most nodes contradict are not believed',
    without: { 'balance-agreed': 'true' },
  },
  {
    name: 'a payment does not expire by a comparison that is not certain',
    without: { 'compared-certain': 'await compared(block.time)' },
    test: 'apps/server/src/domains/deposits/find-native.int.test.ts',
  },
  {
    name: 'a difference that is not certain stops nothing',
    without: { 'reconcile-certain': '' },
    test: 'apps/server/src/domains/ledger/reconcile.int.test.ts',
  },
  {
    name: 'coin that a block did show is not found again',
    without: { 'seen-coin': '0n' },
  },
  {
    name: 'all that changes money is one transaction',
    without: { begin: '', commit: '' },
  },
  {
    name: 'callbacks are queued in the transaction of what they tell',
    without: { 'one-flush': outside('callbacks') },
  },
  {
    name: 'callbacks of a payment wait for the earlier ones',
    without: { 'callback-order': 'false' },
  },
  {
    name: 'a chain is changed by one at a time',
    without: { 'chain-lock': '' },
  },
  {
    name: 'a follower that was frozen writes nothing',
    without: { fence: '' },
    test: 'apps/server/src/domains/deposits/chain-lease.int.test.ts',
  },
  {
    name: 'a payment is changed by one at a time',
    without: { 'payments-lock': '', 'payment-lock': '' },
  },
  {
    name: 'payments are locked in one order',
    without: { 'payments-order': '' },
    test: 'apps/server/src/domains/payments/lock-order.int.test.ts',
  },
  {
    name: 'money belongs to the payment whose lease had begun',
    without: { 'lease-at-block': 'false' },
  },
  {
    name: 'money that fits the former payment goes to the former one',
    without: { 'former-payment': 'present' },
  },
  {
    name: 'an address is leased again only when it is free',
    without: { 'cool-down': '$3 > 0', 'address-in-use': 'false' },
    test: 'apps/server/src/domains/addresses/leases.int.test.ts',
  },
  {
    name: 'amounts at a fixed address are different ones',
    without: { 'distinct-amounts': '' },
  },
  {
    name: 'nothing times out while its chain is not read',
    without: { 'chain-read': 'return Number.MAX_SAFE_INTEGER' },
  },
  {
    name: 'nothing times out before most nodes agree on what its blocks hold',
    without: { 'verified-through': 'h.last_time' },
  },
  {
    name: 'nothing times out before its coin was compared',
    without: { 'compared-through': 'const last = chain.lastTime' },
  },
  {
    name: 'nothing times out while its money is on its way',
    without: { 'money-under-way': 'false' },
  },
  {
    name: 'nothing times out while its deposits change',
    without: { 'changing-deposits': 'false' },
    test: 'packages/core/src/payments/expiry.test.ts',
  },
  {
    name: 'a price must be fresh',
    without: { 'fresh-price': '' },
  },
  {
    name: 'sources of a price must agree',
    without: { 'sources-agree': '' },
  },
  {
    name: 'one source of a price is not enough',
    without: { 'enough-sources': 'false' },
  },
  {
    name: 'the price is the median of the sources',
    without: { median: 'const median = high' },
  },
  {
    name: 'an order is one payment (unique key)',
    without: { 'order-known': '', 'order-key': '' },
    sql: ['alter table payments drop constraint payments_merchant_id_out_trade_no_appid_key'],
  },
  {
    name: 'late money does not make a payment paid',
    without: { 'late-credit': '' },
  },
  {
    name: 'late money does not complete a part that came in time',
    without: { 'late-part': '' },
  },
  {
    name: 'rates are those of the creation',
    without: {
      'locked-rate': `const [own, usdt] = await Promise.all([asset.symbol, 'USDT'].map(each => deps.prices.quote(each)))
        const rate = { price: (Number(own.price) / Number(usdt.price)).toFixed(12) }`,
    },
    test: 'apps/server/src/domains/payments/choose-asset.int.test.ts',
  },
  {
    name: 'figures are written in the transaction of what they count',
    without: { 'one-flush': outside('statistics', 'counts') },
  },
  {
    name: 'a payout is carried by one transaction at a time',
    without: { 'payout-due': 'const isDue = true' },
    test: 'apps/server/src/domains/withdrawals/pay-withdrawal.int.test.ts',
  },
  {
    name: 'a nonce is taken in the transaction that marks its payout as sent',
    without: { 'nonce-with-owner': guarded => `await c.query('commit'); await c.query('begin'); ${guarded}` },
  },
  {
    name: 'a nonce is taken only for what the signer judged',
    without: { 'nonce-judged': guarded => guarded.replace('this.isNext(id) && ', '') },
    test: 'apps/server/src/domains/outgoing/limits.int.test.ts',
  },
  {
    name: 'what has a nonce and no signature counts towards the limits of the signer',
    without: { 'unsigned-counted': 'const own: Unsigned[] = []' },
    test: 'apps/server/src/signer/never-laxer.test.ts',
  },
  {
    name: 'nothing is signed with a fee that its wallet cannot pay',
    without: { 'fee-covered': 'const next = wanted' },
    test: 'apps/server/src/domains/outgoing/replace.int.test.ts',
  },
  {
    name: 'signed bytes are stored before nodes get them',
    without: { 'store-first': guarded => `await deps.chains.get(chain_id).send(attempt.raw); ${guarded}` },
    test: 'apps/server/src/domains/outgoing/send.int.test.ts',
  },
  {
    name: 'the same bytes are broadcast until they are in a block',
    without: { rebroadcast: 'if (signed) await broadcast(pass, signed)' },
  },
  {
    name: 'a payout whose block is gone is sent again',
    without: { 'payout-reorged': '' },
    test: 'apps/server/src/domains/outgoing/send.int.test.ts',
  },
  {
    name: 'a payout is final only in a final block',
    without: { 'payout-depth': 'true', 'payout-followed': '' },
    test: 'apps/server/src/domains/outgoing/send.int.test.ts',
  },
  {
    name: 'a payout ends by a receipt that was verified',
    without: { 'receipt-agreed': 'true' },
  },
  {
    name: 'the receipt of a payout is that of the roots, whatever most nodes say',
    without: { 'payout-root': '' },
    test: 'packages/chains/src/evm/quorum.int.test.ts',
  },
  {
    name: 'a transaction that reverted has paid nothing',
    without: { 'payout-reverted': '', 'payout-logged': 'if (place < 0) continue' },
  },
  {
    name: 'a token that logs no transfer has paid nothing',
    without: { 'payout-logged': 'if (place < 0) continue' },
  },
  {
    name: 'a cancelled payout is void only when its cancellation is final',
    without: { 'cancel-mined': guarded => `${guarded} || now.cancel_reason !== null` },
  },
  {
    name: 'a merchant cancels only what has no nonce',
    without: { unsent: '' },
  },
  {
    name: 'the fee of a transaction is posted once',
    without: { 'settle-once': 'if (!now) return', 'gas-source': 'crypto.randomUUID()' },
  },
  {
    name: 'our own transactions bring no deposits',
    without: { 'own-noted': '' },
  },
  {
    name: 'a transaction is locked before what it carries',
    without: { 'carrier-first': '' },
    test: 'apps/server/src/domains/withdrawals/pay-withdrawal.int.test.ts',
  },
  {
    name: 'a payment in doubt keeps its refund',
    without: { 'restored-refund': '' },
    test: 'apps/server/src/domains/refunds/refunds.int.test.ts',
  },
  {
    name: 'blocks are not read again on a branch that is not followed yet',
    without: { 'reread-followed': '' },
    test: 'apps/server/src/domains/deposits/reread-chain.int.test.ts',
  },
  {
    name: 'limits are judged while the merchant is locked',
    without: {
      'withdrawals-lock': `const merchant = (await c.query('select * from merchants where id = $1', [merchantId])).rows[0]`,
    },
  },
  {
    name: 'no more is refunded than was credited',
    without: { 'refund-most': 'false' },
    sql: ['alter table payment_refunds drop constraint payment_refunds_within'],
  },
  {
    name: 'a refund link ends once',
    without: { 'link-ends-once': '' },
    test: 'apps/server/src/domains/refunds/claim.int.test.ts',
  },
  {
    name: 'a refund is claimed once',
    without: { 'claimed-once': '' },
    test: 'apps/server/src/domains/refunds/claim.int.test.ts',
  },
  {
    name: 'a payer gets what the claim showed',
    without: { 'claim-as-shown': '' },
    test: 'apps/server/src/domains/refunds/claim.int.test.ts',
  },
  {
    name: 'a payment in doubt is settled after its deposits',
    without: { 'doubts-settled': '' },
    test: 'apps/server/src/domains/refunds/claim.int.test.ts',
  },
]
