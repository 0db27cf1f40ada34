import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { creditDeposit } from '../deposits/credit.ts'
import { availableAccount, heldAccount, houseAccount, type LedgerAccount } from './accounts.ts'
import {
  groupPostings,
  makePosting,
  PostingFault,
  type PostingGroup,
  type PostingKind,
  reverseGroup,
  sumBalances,
} from './postings.ts'

const accounts: Record<string, LedgerAccount> = {
  'A available': availableAccount('A', 'eth:USDT'),
  'A held': heldAccount('A', 'eth:USDT'),
  'B available': availableAccount('B', 'eth:USDT'),
  chain: houseAccount('chain', 'eth:USDT'),
  fees: houseAccount('fees', 'eth:USDT'),
  gas: houseAccount('gas', 'eth:USDT'),
  suspense: houseAccount('suspense', 'eth:USDT'),
}
const nameOf = new Map(
  Object.entries(accounts).map(([name, { merchantId, part }]) => [`${merchantId ?? 'house'}/${part}/eth:USDT`, name]),
)

/** Parses a journal of `source: kind debit -> credit amount` lines. Lines without a source continue the group above. */
function journal(text: string): PostingGroup[] {
  const groups: { source: string; postings: ReturnType<typeof makePosting>[] }[] = []
  for (const line of text.trim().split('\n')) {
    const [, source, kind, debit, credit, amount] =
      /^\s*(?:(\S+):)?\s+(\w+)\s+(.+?) -> (.+?)\s+(\d+)$/.exec(` ${line}`) ?? assert.fail(line)
    if (source) groups.push({ source, postings: [] })
    groups
      .at(-1)!
      .postings.push(makePosting(kind as PostingKind, accounts[debit!]!, accounts[credit!]!, BigInt(amount!)))
  }
  return groups.map(each => groupPostings(each.source, each.postings))
}

const sheet = (groups: PostingGroup[]) =>
  [...sumBalances(groups)]
    .map(([id, amount]) => `${nameOf.get(id)} ${amount}`)
    .sort()
    .join(', ')

const books: [what: string, journal: string, sheet: string][] = [
  [
    'a payment of 1000 with a fee of 4',
    `deposit:1: payment chain -> A available 1000
                fee     A available -> fees 4`,
    'A available 996, chain 1000, fees 4',
  ],
  [
    'a withdrawal: reserved, then sent with its fee',
    `deposit:1: payment chain -> A available 1000
     reserve:1: withdrawal A available -> A held 300
     settle:1:  withdrawal A held -> chain 290
                fee        A held -> fees 10`,
    'A available 700, A held 0, chain 710, fees 10',
  ],
  [
    'a rejected withdrawal',
    `deposit:1: payment chain -> A available 1000
     reserve:1: withdrawal A available -> A held 300
     release:1: withdrawal A held -> A available 300`,
    'A available 1000, A held 0, chain 1000',
  ],
  [
    'a transfer between merchants passes through the house',
    `deposit:1:  payment chain -> A available 1000
     transfer:1: transfer A available -> suspense 400
                 transfer suspense -> B available 400`,
    'A available 600, B available 400, chain 1000, suspense 0',
  ],
  [
    'gas of a sweep, paid by the house and charged to the merchant',
    `deposit:1: payment chain -> A available 1000
     sweep:1:   gas gas -> chain 7
     charge:1:  gas A available -> fees 7`,
    'A available 993, chain 993, fees 7, gas 7',
  ],
]
for (const [what, text, expected] of books) test(what, () => assert.equal(sheet(journal(text)), expected))

test('refuses invalid postings', () => {
  const a = availableAccount('A', 'eth:USDT')
  const b = houseAccount('chain', 'eth:USDT')
  for (const amount of [0n, -1n]) assert.throws(() => makePosting('payment', b, a, amount), PostingFault)
  assert.throws(() => makePosting('payment', houseAccount('chain', 'bsc:USDT'), a, 1n), /from bsc:USDT to eth:USDT/)
  assert.throws(() => makePosting('payment', a, a, 1n), /to itself/)
  assert.throws(() => makePosting('transfer', a, availableAccount('B', 'eth:USDT'), 1n), /through the house/)
  assert.throws(() => groupPostings('deposit:1', []), /moves nothing/)
})

const anyGroups = fc.array(
  fc.record({
    amount: fc.bigInt(1n, 10n ** 30n),
    fee: fc.integer({ min: 0, max: 10_000 }),
    merchant: fc.constantFrom('A', 'B'),
    kind: fc.constantFrom('payment' as const, 'recharge' as const),
  }),
)
const credit = (deposits: { amount: bigint; fee: number; merchant: string; kind: 'payment' | 'recharge' }[]) =>
  deposits.map(({ amount, fee, merchant, kind }, id) =>
    creditDeposit({ id: String(id), merchantId: merchant, assetId: 'eth:USDT', amount, kind }, fee),
  )

test('merchant balances and fees sum to the on-chain balance', () => {
  fc.assert(
    fc.property(anyGroups, deposits => {
      const all = sumBalances(credit(deposits))
      const of = (account: LedgerAccount) => all.get(`${account.merchantId ?? 'house'}/${account.part}/eth:USDT`) ?? 0n
      const owned = of(accounts['A available']!) + of(accounts['B available']!) + of(accounts.fees!)
      assert.equal(owned, of(accounts.chain!))
    }),
  )
})

test('a group and its reversal sum to zero', () => {
  fc.assert(
    fc.property(anyGroups, deposits => {
      const groups = credit(deposits)
      for (const amount of sumBalances([...groups, ...groups.map(reverseGroup)]).values()) assert.equal(amount, 0n)
    }),
  )
})

test('a reversal names the original source, reverses its postings in order and cannot itself be reversed', () => {
  const original = creditDeposit({ id: '9', merchantId: 'A', assetId: 'eth:USDT', amount: 1000n, kind: 'payment' }, 40)
  const back = reverseGroup(original)
  assert.deepEqual([back.source, back.reverses], ['reversal:deposit:9', 'deposit:9'])
  assert.deepEqual(
    back.postings.map(each => each.kind),
    ['fee', 'payment'],
  )
  assert.throws(() => reverseGroup(back), PostingFault)
})
