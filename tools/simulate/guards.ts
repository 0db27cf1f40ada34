import type { Replacement } from './markers.ts'

/** Maps markers in the source to their replacements (see `markers.ts`). */
type Without = Record<string, Replacement>

/**
 * A safeguard against wrong credits and how to remove it. `sql` is run in each seed's database. `test` is the path of a
 * test that must notice in place of seeds.
 */
export type Guard = { name: string; without: Without; sql?: string[] | undefined; test?: string }

/** Moves parts of a unit of work out of its transaction, by a commit before and a begin after each. */
const outside = (...parts: string[]) => {
  const isOutside = `${JSON.stringify(parts)}.includes(name)`
  return (guarded: string) =>
    `if (${isOutside}) await this.c.query('commit'); ${guarded}; if (${isOutside}) await this.c.query('begin')`
}

/** Guards whose removal seeds of the simulation must notice. */
const noticedBySeeds = {
  'nodes are asked for the hash of a block before it is final': { 'final-agreed': 'true' },
  'a node ahead of all others does not decide alone': {
    majority: 'return yes * 2 > answers.filter(each => !(each instanceof Error)).length',
    'two-nodes': '',
  },
  'while the others fail one node does not decide': { 'failing-nodes-count': 'false', 'two-nodes': '' },
  'a deposit waits for its confirmations': { depth: '', 'depth-agreed': '1' },
  'a block must have the last one as its parent': { 'parent-read': 'return true', 'parent-stored': '' },
  'most nodes must count the confirmations': { 'depth-agreed': '1' },
  'blocks of a range follow each other': { 'range-linked': '' },
  'a node of another chain does not count': { 'chain-id': '', genesis: '' },
  'a block is read for all addresses': { 'all-addresses': '' },
  'transactions are those that the header commits to': { 'transactions-root': '' },
  'receipts are those that the header commits to': { 'receipts-root': '' },
  'only contracts on the list count': {
    'contract-of-log': 'false',
    'contract-of-asset':
      guarded => `case when t.token in (select contract from assets) or t.token is null then ${guarded}
        else s.contract = (select min(contract) from assets y where y.chain_id = $1) end`,
  },
  'coin of a transaction that failed does not count': { status: 'true' },
  'what counts is what arrived, not what the payer was charged': {
    'amount-of-log': guarded =>
      `${guarded} + logged.filter(each => each.token === log.token && each.to.endsWith('fe')).reduce((sum, each) => sum + each.amount, 0n)`,
  },
  'a deposit is known by its place within the transaction, not within the block': { ordinal: 'logIndex + log.at' },
  'one transfer is one deposit (unique key)': { 'known-deposits': '[]', 'deposit-key': 'd.id = r.id' },
  'a deposit is looked up before it is taken for new': { 'known-deposits': '[]' },
  'a source is posted once (unique key of the ledger)': { 'credit-source': 'crypto.randomUUID()' },
  'what most nodes deny at its depth is dropped': { denied: '' },
  'a transfer in a block without roots counts when most nodes have it': { 'transfers-agreed': 'return true' },
  'a transfer below the minimum is kept aside': { dust: guarded => guarded.replace(/^if .* \{\n/, 'if (true) {\n') },
  'what is kept aside becomes a deposit once it is enough': { 'dust-together': 'const isBooked = false' },
  'a chain that leaves final blocks is halted': { 'deep-reorg-read': '', 'deep-reorg-stored': 'const isDeep = false' },
  'balances that a node reports of a fork of its own are not believed': {
    'balance-block-agreed': '',
    'balance-block-ours': '',
  },
  'balances that most nodes contradict are not believed': { 'balance-agreed': 'true' },
  'a balance is proven against the state root of its block': {
    'balance-proof':
      'return verifyMerkleProof(parseHexBytes(key), nodes, { useKeyHashing: true, useKeyHashingFunction: keccak })',
  },
  'coin that a block did show is not found again': { 'seen-coin': '0n' },
  'all that changes money is one transaction': { begin: '', commit: '' },
  'callbacks are queued in the transaction of what they report': { 'one-flush': outside('callbacks') },
  'callbacks of a payment wait for the earlier ones': { 'callback-order': 'false' },
  'a chain is changed by one at a time': { 'chain-lock': '' },
  'a payment is changed by one at a time': { 'payments-lock': '', 'payment-lock': '' },
  'money belongs to the payment whose lease had begun': { 'lease-at-block': 'false' },
  'money that fits the former payment goes to the former one': { 'former-payment': 'present' },
  'amounts at a fixed address are different ones': { 'distinct-amounts': '' },
  'nothing times out while its chain is not read': { 'chain-read': 'return Number.MAX_SAFE_INTEGER' },
  'nothing times out before most nodes agree on what its blocks hold': { 'verified-through': 'h.last_time' },
  'nothing times out before its coin was compared': { 'compared-through': 'const last = chain.lastTime' },
  'nothing times out while its money is on its way': { 'money-under-way': 'false' },
  'a price must be fresh': { 'fresh-price': '' },
  'sources of a price must agree': { 'sources-agree': '' },
  'one source of a price is not enough': { 'enough-sources': 'false' },
  'the price is the median of the sources': { median: 'const median = high' },
  'an order is one payment (unique key)': { 'order-known': '', 'order-key': '' },
  'late money does not make a payment paid': { 'late-credit': '' },
  'late money does not complete a part that came in time': { 'late-part': '' },
  'figures are written in the transaction of what they count': { 'one-flush': outside('statistics', 'counts') },
  'a nonce is taken in the transaction that marks its payout as sent': {
    'nonce-with-owner': guarded => `await c.query('commit'); await c.query('begin'); ${guarded}`,
  },
  'what was final in lost blocks is sent again': { 'lost-reopened': 'const lost = 0' },
  'a payout ends by a receipt that was verified': { 'receipt-agreed': 'await chain.receipt(txid)' },
  'a transaction is signed again only when the last one can be in no block': { 'expired-dropped': '' },
  'one node does not decide that a transaction can be in no block': { 'dropped-agreed': 'let isDropped = absent > 0' },
  'a transaction that reverted has paid nothing': { 'payout-reverted': '', 'payout-logged': 'if (place < 0) continue' },
  'a token that logs no transfer has paid nothing': { 'payout-logged': 'if (place < 0) continue' },
  'a cancelled payout is void only when its cancellation is final': {
    'cancel-mined': guarded => `${guarded} || now.cancel_reason !== null`,
  },
  'a merchant cancels only what has no nonce': { unsent: '' },
  'the fee of a transaction is posted once': { 'settle-once': 'if (!now) return', 'gas-source': 'crypto.randomUUID()' },
  'what our own transactions take of a wallet is not missing': { 'coin-taken': '' },
  'our own transactions bring no deposits': { 'own-noted': '' },
  'deposits go to the treasury only': { 'treasury-only': `address('hot')` },
  'many deposits at once go to the treasury only': { 'treasury-sweeper': `const to = address('hot')` },
  'what the treasury has is ours': { 'treasury-ours': '' },
  'a move to the treasury leaves the float': { 'float-stays': 'const stays = queued' },
  'a move to the treasury leaves what queued payouts take': { 'float-stays': 'const stays = float' },
  'what moves is not moved again': { 'moved-reserved': 'false' },
  'limits are evaluated while the merchant is locked': {
    'withdrawals-lock': `const merchant = (await c.query('select * from merchants join persons using (id) where id = $1', [merchantId])).rows[0]`,
  },
  'no more is refunded than was credited': { 'refund-most': 'false' },
  'a sibling of a token is credited or given back, once': { 'sibling-once': '' },
  'a sibling of a token is credited by a decision alone': { 'sibling-waits': '' },
  'a sibling that is given back leaves its order alone': { 'returned-apart': '' },
} satisfies Record<string, Without>

/** What else is removed with some of them: unique keys, which would stop the same fault. */
const sql: Partial<Record<keyof typeof noticedBySeeds, string[]>> = {
  'one transfer is one deposit (unique key)': ['drop index deposits_once'],
  'an order is one payment (unique key)': ['drop index payments_number'],
  'no more is refunded than was credited': ['alter table payment_refunds drop constraint payment_refunds_within'],
}

/** Guards whose removal a test must notice, by the path of the test. */
const noticedByTests: Record<string, Record<string, Without>> = {
  'packages/chains/src/nodes/nodes.test.ts': {
    'a vote waits for slow nodes until it is decided': { 'slow-votes': 'const left = isLate ? [] : [...waiting]' },
    'a node that limits the rate of requests is left alone for a time': { 'rate-limited': '' },
    'a smaller size of batches is for a time': { 'batches-grow': '' },
    'answers of all nodes together have a limit': { 'answer-space': '' },
  },
  'packages/chains/src/nodes/penalties.test.ts': {
    'requests that fail together are one failure': { 'failures-at-once': '', 'faults-at-once': '' },
    'a limit of the rate that ends soon is waited for': {
      'limit-awaited': 'ask',
      'limit-awaited-alone': 'const asking = ask(node)',
    },
  },
  'apps/server/src/domains/deposits/decide-held-deposits.int.test.ts': {
    'the first deposits of a token wait until they are compared': { 'token-compared': '' },
    'a deposit that waits is not credited': { 'token-held': `const credit = 'credit'` },
    'an address holds what its deposits say': { 'token-total': '' },
    'a deposit that waits is compared with balances': { 'token-change': '', 'token-total': '' },
  },
  'apps/server/src/domains/deposits/tron.int.test.ts': {
    'both interfaces of a TRON node report a balance': { 'tron-interfaces': 'false' },
  },
  'packages/chains/src/tron/field-lies.test.ts': {
    'transactions of TRON are those that the id of their block covers': { 'tron-root': 'const isRoot = true' },
  },
  'packages/chains/src/tron/expiring.int.test.ts': {
    'a payout on TRON ends by a receipt that most nodes report by both interfaces': {
      'tron-receipt-agreed': 'const agreed = receipt.status',
    },
    'what a node claims without proof is set aside by most of all nodes': {
      'claim-outvoted': 'const countsNoMore = isLong',
    },
  },
  'packages/chains/src/evm/fees.int.test.ts': {
    'a head that one node made up decides no fee': {
      'base-fee-agreed': 'await this.blocks.byHash(await this.head(), false, header => header)',
    },
    'a base fee is near that of a verified header': { 'base-fee-verified': 'const baseFee = told.baseFee' },
  },
  'packages/chains/src/evm/partly-rooted.test.ts': {
    'logs that a header denies are no vote': { bloom: "return fitting('bloom')" },
    'what roots prove needs no other node': { 'proved-whole': 'const whole = undefined' },
    'what roots do not prove is voted on': { 'proven-whole': 'const isProven = true' },
    'what fits less of a header does not outvote what fits more': { 'fits-more': 'const answers = given' },
  },
  'packages/chains/src/evm/proofs.int.test.ts': {
    'a proof counts against a block that a quorum has': { 'proof-block-agreed': 'true' },
  },
  'packages/chains/src/evm/quorum.int.test.ts': {
    'where a hash does not commit to the time, most nodes must report it': { 'time-agreed': '' },
    'where roots cannot be computed, most nodes must report the sender': { 'sender-agreed': '0' },
    'one node does not end the verification of a chain': { 'fork-agreed': 'const isAgreed = true' },
    'the receipt of a payout is that of the roots, whatever most nodes say': { 'payout-root': '' },
  },
  'apps/server/src/domains/deposits/reorg.int.test.ts': {
    'a credited deposit that is something else now stays in doubt': { 'changed-credit': '' },
    'what was seen in blocks that are left is dropped': { 'drop-lost': '' },
    'the sender of a deposit is that of its final block': { 'sender-settled': '({})' },
  },
  'apps/server/src/domains/deposits/lost-own.int.test.ts': {
    'what transactions of ours moved in lost blocks is forgotten': { 'lose-own': '' },
    'a lost transaction has moved nothing where most nodes have it in no block': { 'lost-absent': '' },
  },
  'apps/server/src/domains/deposits/find-native-deposits.int.test.ts': {
    'native balances of lost blocks are forgotten': { 'forget-balances': '' },
    'a balance that may be of another block counts where nothing changed it': {
      'slack-unchanged': 'const busy: string[] = []',
    },
    'a gap that an invented fee may have left is no deposit': { 'surcharge-no-deposit': '' },
    'a payment does not expire by a comparison that is not certain': {
      'compared-certain': 'await compared(block.time)',
    },
    'coin is dated by the states that nodes still have': {
      'arrival-pruned': guarded => `${guarded}; if (!then) break`,
    },
  },
  'apps/server/src/domains/ledger/reconcile.int.test.ts': {
    'a difference that is not certain stops nothing': { 'reconcile-certain': '' },
  },
  'apps/server/src/domains/proof/proof.int.test.ts': {
    'a balance that is not certain is not published': { 'proof-certain': '' },
  },
  'apps/server/src/signer/proof.test.ts': {
    'only an address that the signer derives is signed as its own': { 'proof-derived': '' },
    'one statement of each id is signed, for ever': { 'proof-once': '' },
  },
  'apps/server/src/domains/deposits/append-empty.int.test.ts': {
    'a block is applied in one statement only as it was read': { 'empty-as-read': '' },
  },
  'apps/server/src/domains/deposits/chain-lease.int.test.ts': {
    'a follower that was frozen writes nothing': { fence: '' },
  },
  'apps/server/src/domains/payments/lock-order.int.test.ts': {
    'payments are locked in one order': { 'payments-order': '' },
  },
  'apps/server/src/domains/addresses/leases.int.test.ts': {
    'an address is leased again only when it is free': { 'cool-down': '$3 > 0', 'address-in-use': 'false' },
  },
  'packages/core/src/payments/expiry.test.ts': {
    'nothing times out while its deposits change': { 'changing-deposits': 'false' },
  },
  'apps/server/src/domains/payments/choose-asset.int.test.ts': {
    'rates are those of the creation': {
      'locked-rate': `const [own, usdt] = await Promise.all([asset.symbol, 'USDT'].map(each => deps.prices.quote(each)))
        const rate = { price: (Number(own.price) / Number(usdt.price)).toFixed(12) }`,
    },
  },
  'apps/server/src/domains/withdrawals/pay-withdrawal.int.test.ts': {
    'a payout is carried by one transaction at a time': { 'payout-due': 'const isDue = true' },
    'a transaction is locked before what it carries': {
      'carrier-first': `const sent = carrier && (await c.query('select state from outgoing where chain_id = $1 and from_address = $2 and nonce = $3', [carrier.out_chain, carrier.out_from, carrier.out_nonce])).rows[0]`,
    },
  },
  'apps/server/src/domains/outgoing/limits.int.test.ts': {
    'a nonce is taken only for what the signer would sign': {
      'nonce-judged': guarded => guarded.replace('this.isNext(id) && ', ''),
    },
  },
  'apps/server/src/signer/never-laxer.test.ts': {
    'what has a nonce and no signature counts towards the limits of the signer': {
      'unsigned-counted': 'const own: Unsigned[] = []',
    },
  },
  'apps/server/src/domains/sweeps/tron.int.test.ts': {
    'what a wallet or an address holds is proven or agreed': {
      'held-certain': 'await chain.balanceOf(token, address)',
    },
  },
  'apps/server/src/domains/ledger/suspects.test.ts': {
    'a deposit that may not have been seen yet is not called left out': { 'left-out-final': '' },
    'what an address holds beyond its deposits was left out, and nothing else': { 'left-out-known': 'true' },
  },
  'packages/chains/src/evm/field-lies.test.ts': {
    'receipts that do not fit a block of another node blame nobody': {
      'own-block': 'this.#onDiffers(url, difference)',
    },
  },
  'packages/chains/src/nodes/faults.test.ts': {
    'an answer of more parts than any is not parsed': { 'answer-parts': '' },
  },
  'packages/chains/src/nodes/parse.test.ts': {
    'an answer of more shapes than any is not parsed': { 'answer-shapes': '' },
  },
  'apps/server/src/domains/outgoing/unpayable.int.test.ts': {
    'what a contract says as it fails is no fault of the node': {
      'failure-large': guarded => guarded.replace('areContractExecutions(part)', 'false'),
    },
    'a failed execution is no fault of the node': { 'execution-failed': guarded => guarded.replace(/ && .*\)\)/, ')') },
    'one node does not decide that a payout would fail': { 'estimate-agreed': 'failures.length > 0' },
  },
  'apps/server/src/domains/outgoing/issuer.int.test.ts': {
    'a payout that the issuer stops waits for the issuer': { 'issuer-asked': '' },
    'a log of a payout counts only with the balance': { 'payout-moved': 'true' },
  },
  'apps/server/src/domains/sweeps/issuer.int.test.ts': {
    'sweeps that the issuer stops wait for the issuer': { 'sweeps-ask-issuer': '' },
  },
  'packages/chains/src/evm/faulty-nodes.int.test.ts': {
    'one node does not report a block for most': { 'tip-agreed': 'true' },
    'a header hashes to its hash': { 'header-hash': '' },
  },
  'apps/server/src/domains/deposits/watch-upgrades.int.test.ts': {
    'one node does not decide that a token was upgraded': {
      'implementation-agreed': 'answers.find(each => typeof each === "bigint") ?? null',
    },
    'an upgrade is one incident': { 'upgrade-once': 'await store(c, id, was, is)' },
  },
  'apps/server/src/domains/deposits/decide-sibling.int.test.ts': {
    'a sibling of a token waits for an operator': { 'sibling-waits': '' },
    'a deposit of a sibling is decided once': { 'sibling-once': '' },
  },
  'apps/server/src/domains/deposits/attacked-sibling.int.test.ts': {
    'what is given back is nothing to its order': { 'returned-apart': '' },
  },
  'apps/server/src/domains/deposits/reread-sibling.int.test.ts': {
    'a decision about a deposit holds for its amount': { 'decided-amount': 'false' },
    'a decision about another amount is refused': { 'sibling-amount': '' },
  },
  'apps/server/src/domains/console/unknown-value.int.test.ts': {
    'what has no price takes two people': { 'value-known': '' },
  },
  'packages/chains/src/evm/issuer.test.ts': {
    'one node does not decide whom an issuer lists': { 'issuer-agreed': 'if (answers.includes(true)) return true' },
  },
  'apps/server/src/domains/outgoing/expiring.int.test.ts': {
    'what ran out of energy is sent again once': { 'energy-once': 'false' },
    'one node that names a block of a payout does not hold it up for ever': { 'named-dropped': 'false' },
  },
  'apps/server/src/domains/outgoing/batches.int.test.ts': {
    'one node does not decide what Disperse may spend': {
      'allowance-agreed': 'const allowed = votes.find(vote => !(vote instanceof Error)) ?? null',
    },
  },
  'apps/server/src/domains/sweeps/sweeps.int.test.ts': {
    'one node does not decide what an authorization is for': {
      'accounts-agreed': 'return of.find(vote => !(vote instanceof Error)) ?? null',
    },
  },
  'apps/server/src/domains/outgoing/data-fee.int.test.ts': {
    'what a chain charges beyond gas is kept back for it': { 'data-reserved': 'const beyond = 0n' },
  },
  'apps/server/src/domains/outgoing/every-failure.int.test.ts': {
    'what nobody would sign is given up': { 'never-signed': 'return' },
    'what cannot be prepared holds up nothing else': { 'paid-apart': 'if (await payOne(pass, payout)) room--' },
  },
  'apps/server/src/domains/outgoing/replace.int.test.ts': {
    'nothing is signed with a fee that its wallet cannot pay': { 'fee-covered': 'const next = wanted' },
    'one node does not decide that a nonce is used up': {
      'nonce-agreed': `if (nonce === undefined) return Math.max(...votes.filter(vote => typeof vote === 'number'))`,
      'taken-agreed': '',
    },
    'what blocks pass over is raised, whatever it began with': { 'tip-raised': 'return null' },
  },
  'apps/server/src/domains/outgoing/lying-receipts.int.test.ts': {
    'a node that names another block of a payout does not hold it up': { 'other-places': '' },
    'a node that names another attempt of a payout does not hold it up': { 'attempt-certain': '' },
    'a fee above what was signed is not believed': { 'fee-signed': 'return null' },
  },
  'apps/server/src/domains/outgoing/send.int.test.ts': {
    'the same bytes are broadcast until they are in a block': {
      rebroadcast: 'if (signed) await broadcast(pass, signed)',
    },
    'signed bytes are stored before nodes get them': {
      'store-first': guarded => `const to = deps.chains.get(chain_id)
  await (to.expiring ?? to).send(attempt.raw)
  ${guarded}`,
    },
    'coin that a foreign key takes halts the wallet': { 'coin-missing': '' },
    'a payout whose block is orphaned is sent again': { 'payout-reorged': 'false' },
    'a payout is final only in a final block': { 'payout-depth': 'true', 'payout-followed': '' },
  },
  'apps/server/src/domains/outgoing/deep-reorg.int.test.ts': {
    'of a fee that was posted only the difference is': { 'fee-again': '0n' },
  },
  'apps/server/src/domains/approvals/decide-approvals.int.test.ts': {
    'decisions are counted while the merchant is locked': {
      'decisions-lock': `const merchant = requireActiveMerchant((await c.query('select * from merchants join persons using (id) where id = $1', [merchantId])).rows[0])`,
    },
  },
  'apps/server/src/domains/refunds/refunds.int.test.ts': {
    'a payment in doubt keeps its refund': { 'restored-refund': '' },
  },
  'apps/server/src/domains/deposits/reread-chain.int.test.ts': {
    'blocks are not read again on a branch that is not followed yet': { 'reread-followed': '' },
  },
  'apps/server/src/domains/refunds/senders.int.test.ts': {
    'a sender that nodes did not agree on exempts no refund': { 'sender-agreed': '0' },
  },
  'apps/server/src/domains/refunds/claim.int.test.ts': {
    'a refund link ends once': { 'link-ends-once': '' },
    'a refund is claimed once': { 'claimed-once': '' },
    'a payer gets what the claim showed': { 'claim-as-shown': '' },
    'a payment in doubt is settled after its deposits': { 'doubts-settled': '' },
  },
}

export const guards: Guard[] = [
  ...Object.entries<Without>(noticedBySeeds).map(([name, without]) => ({
    name,
    without,
    sql: sql[name as keyof typeof sql],
  })),
  ...Object.entries(noticedByTests).flatMap(([test, removed]) =>
    Object.entries(removed).map(([name, without]) => ({ name, without, test })),
  ),
]
