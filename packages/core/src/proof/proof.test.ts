import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { fixedBytes, makeExample, nodeCrypto, signStatement } from './example.fixture.ts'
import {
  computeLeaf,
  computeParent,
  encodeHex,
  type MerchantProof,
  type PublishedProof,
  readProofAmount,
} from './format.ts'
import { splitBalance } from './split.ts'
import { buildSumTree, pathOf, roundUpToTreeSize } from './tree.ts'
import { ProofError, verifyMerchantProof, verifyPublishedProof } from './verify.ts'

const random = (length: number) => randomBytes(length)
const balances = { M1: 1_000_000n, M2: 25n, M3: 0n, M4: 731_000_003n }
const copy = <T>(value: T): T => structuredClone(value)
const faultOf = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    assert.ok(error instanceof ProofError, String(error))
    return error.fault
  }
  return 'none'
}
const check = (own: MerchantProof, published: PublishedProof) =>
  faultOf(() => verifyMerchantProof(nodeCrypto, own, published))

test('each merchant finds the own balance in the published sum', () => {
  const { published, merchantProof } = makeExample(balances, 732_000_028n)
  for (const [merchant, balance] of Object.entries(balances)) {
    const found = verifyMerchantProof(nodeCrypto, merchantProof(merchant), published, { merchant })
    assert.deepEqual(
      found.balances.map(each => each.balance),
      [balance],
    )
    assert.equal(found.statement.assets[0]!.difference, '0')
  }
})

const anyBalances = fc.dictionary(
  fc.stringMatching(/^[A-Z0-9]{1,12}$/),
  fc.oneof(fc.constant(0n), fc.bigInt(0n, 100n), fc.bigInt(0n, 10n ** 70n)),
  { minKeys: 1, maxKeys: 12, noNullPrototype: true },
)

test('any balances verify, and their leaves add up to what is owed', () => {
  fc.assert(
    fc.property(anyBalances, fc.bigInt(0n, 10n ** 70n), (given, held) => {
      const { published, merchantProof } = makeExample(given, held)
      const owed = Object.keys(given).reduce(
        (sum, merchant) =>
          sum + verifyMerchantProof(nodeCrypto, merchantProof(merchant), published).balances[0]!.balance,
        0n,
      )
      assert.equal(String(owed), verifyPublishedProof(nodeCrypto, published).assets[0]!.owed)
    }),
    { numRuns: 40 },
  )
})

test('a balance is split into random leaves that are no larger than the average or a sixteenth of it', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 60n), fc.bigInt(1n, 10n ** 60n), (balance, cap) => {
      const leaves = splitBalance(balance, cap, random)
      const most = [cap, (balance + 15n) / 16n, 1n].reduce((a, b) => (a > b ? a : b))
      assert.ok(leaves.length >= 2 && leaves.length <= 32)
      assert.ok(leaves.every(each => each >= 0n && each <= most))
      assert.equal(
        leaves.reduce((sum, each) => sum + each, 0n),
        balance,
      )
    }),
  )
  const first = new Set(Array.from({ length: 20 }, () => splitBalance(10n ** 12n, 10n ** 12n, random)[0]))
  assert.ok(first.size > 15)
})

test('a path leads from every place to the root', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt(0n, 10n ** 20n), { minLength: 2, maxLength: 40 }), amounts => {
      const size = roundUpToTreeSize(amounts.length)
      const leaves = Array.from({ length: size }, (_, i) => ({ hash: random(32), sum: amounts[i] ?? 0n }))
      const tree = buildSumTree(nodeCrypto, leaves)
      for (const [place, leaf] of leaves.entries()) {
        const root = pathOf(tree, place).reduce(
          (node, sibling, level) =>
            Math.floor(place / 2 ** level) % 2
              ? computeParent(nodeCrypto, sibling, node)
              : computeParent(nodeCrypto, node, sibling),
          leaf,
        )
        assert.deepEqual(root, tree.root)
      }
    }),
    { numRuns: 30 },
  )
})

/** Every number and text of a value, with a function that changes it in a copy. */
function changes<T>(value: T): { path: string; changed: T }[] {
  const found: { path: string; changed: T }[] = []
  const walk = (node: unknown, keys: (string | number)[]) => {
    if (typeof node === 'object' && node !== null) {
      for (const [key, each] of Object.entries(node)) walk(each, [...keys, key])
      return
    }
    const changed = copy(value)
    const holder = keys.slice(0, -1).reduce<Record<string | number, never>>((at, key) => at[key]!, changed as never)
    const last = keys.at(-1)!
    const text = String(node)
    const other = text.slice(0, -1) + (text.endsWith('1') ? '2' : '1')
    holder[last] = (typeof node === 'number' ? node + 1 : other) as never
    found.push({ path: keys.join('.'), changed })
  }
  walk(value, [])
  return found
}

test('one changed number or text anywhere in the merchant’s part is noticed', () => {
  const { published, merchantProof } = makeExample(balances, 732_000_028n)
  const own = merchantProof('M4')
  const all = changes(own)
  assert.ok(all.length > 50)
  for (const { path, changed } of all) assert.notEqual(check(changed, published), 'none', path)
})

test('one changed text anywhere in the published file is noticed', () => {
  const { published } = makeExample(balances, 732_000_028n)
  for (const { path, changed } of changes(published))
    assert.notEqual(
      faultOf(() => verifyPublishedProof(nodeCrypto, changed)),
      'none',
      path,
    )
})

test('a number that does not fit the others is noticed though the signer signed it', () => {
  const { statement, pages, merchantProof } = makeExample(balances, 732_000_028n)
  const own = merchantProof('M1')
  const lies = changes(statement).filter(({ path }) => /owed|held|difference|root|leaves|pages|block|^id/.test(path))
  assert.ok(lies.length >= 9)
  for (const { path, changed } of lies) {
    assert.notEqual(check(own, signStatement(changed, pages)), 'none', path)
  }
  for (const { path, changed } of changes(pages).filter(({ path }) => !/addresses.0.(?:address|by)/.test(path)))
    assert.notEqual(check(own, signStatement(statement, changed)), 'none', path)
})

test('negative, huge and malformed sums are refused', () => {
  const { published, merchantProof } = makeExample(balances, 732_000_028n)
  const bad = [
    '-1',
    '+1',
    '1.0',
    '1e3',
    '01',
    '',
    ' 1',
    '0x1',
    String(2n ** 256n),
    String(2n ** 256n - 1n),
    '9'.repeat(79),
  ]
  for (const text of bad) {
    if (text !== String(2n ** 256n - 1n)) assert.equal(readProofAmount(text), null, text)
    const sibling = copy(merchantProof('M1'))
    sibling.assets[0]!.leaves[0]!.path[0]!.sum = text
    assert.notEqual(check(sibling, published), 'none', text)
    const amount = copy(merchantProof('M1'))
    amount.assets[0]!.leaves[0]!.amount = text
    assert.notEqual(check(amount, published), 'none', text)
  }
})

test('a sibling below zero cannot hide a balance: a tree with it does not verify', () => {
  const { statement, pages, merchantProof } = makeExample({ M1: 100n, M2: 0n }, 100n)
  const own = merchantProof('M1')
  const negative = copy(statement)
  Object.assign(negative.assets[0]!, { owed: '-5', held: '-5', difference: '0' })
  assert.equal(check(own, signStatement(negative, pages)), 'published_form')
})

test('what is hashed binds the sum of each child, their order, and whether it is a leaf', () => {
  const [a, b] = [10n, 20n].map(sum => ({ hash: random(32), sum }))
  const parent = computeParent(nodeCrypto, a!, b!)
  const other = computeParent(nodeCrypto, { ...a!, sum: 15n }, { ...b!, sum: 15n })
  assert.equal(parent.sum, other.sum)
  assert.notDeepEqual(parent.hash, other.hash)
  assert.notDeepEqual(parent.hash, computeParent(nodeCrypto, b!, a!).hash)
  assert.throws(() => computeParent(nodeCrypto, { ...a!, sum: 2n ** 255n }, { ...b!, sum: 2n ** 255n }), RangeError)
  assert.throws(() => computeParent(nodeCrypto, { ...a!, sum: -1n }, b!), RangeError)
})

test('swapped children, another merchant’s leaf, a path of another day and a leaf counted twice are noticed', () => {
  const { published, merchantProof } = makeExample(balances, 732_000_028n)
  const own = merchantProof('M4')

  const swapped = copy(own)
  swapped.assets[0]!.leaves[0]!.place ^= 1
  assert.equal(check(swapped, published), 'path')

  const others = { ...merchantProof('M1'), merchant: 'M4' }
  assert.equal(check(others, published), 'path')
  assert.equal(
    faultOf(() => verifyMerchantProof(nodeCrypto, merchantProof('M1'), published, { merchant: 'M4' })),
    'other_merchant',
  )

  const yesterday = makeExample(balances, 732_000_028n, { id: '2026-11-29' })
  assert.equal(check(yesterday.merchantProof('M4'), published), 'other_proof')
  assert.equal(check({ ...yesterday.merchantProof('M4'), id: own.id }, published), 'path')

  const twice = copy(own)
  twice.assets[0]!.leaves.push(copy(twice.assets[0]!.leaves[0]!))
  twice.assets[0]!.balance = String(BigInt(own.assets[0]!.balance) + BigInt(own.assets[0]!.leaves[0]!.amount))
  assert.equal(check(twice, published), 'path')

  const asset = copy(own)
  asset.assets.push(copy(asset.assets[0]!))
  assert.equal(check(asset, published), 'merchant_form')

  const fewer = copy(own)
  fewer.assets[0]!.leaves.pop()
  assert.equal(check(fewer, published), 'balance')
})

test('an omitted merchant has no path that verifies', () => {
  const { M4, ...rest } = balances
  const { published } = makeExample(rest, 732_000_028n)
  const { merchantProof } = makeExample(balances, 732_000_028n)
  assert.ok(M4 > 0n)
  assert.equal(check(merchantProof('M4'), published), 'path')
})

test('an address that is named twice, or of another chain, is refused', () => {
  const { statement, pages } = makeExample(balances, 732_000_028n)
  const page = pages[0]!
  const both = { ...page, addresses: [...page.addresses, ...page.addresses] }
  const twice = signStatement(statement, [both])
  assert.equal(
    faultOf(() => verifyPublishedProof(nodeCrypto, twice)),
    'reserves',
  )
  const elsewhere = signStatement(statement, [{ ...page, chain: 'bsc' }])
  assert.equal(
    faultOf(() => verifyPublishedProof(nodeCrypto, elsewhere)),
    'reserves',
  )
})

test('a signature is of one kind of text, by the key that is known', () => {
  const { published } = makeExample(balances, 732_000_028n)
  const page = published.pages[0]!
  const mixed = { ...published, statement: page.text, signature: page.signature }
  assert.equal(
    faultOf(() => verifyPublishedProof(nodeCrypto, mixed)),
    'signature',
  )
  assert.equal(
    faultOf(() => verifyPublishedProof(nodeCrypto, published, 'aa'.repeat(32))),
    'other_key',
  )
  assert.equal(
    faultOf(() => verifyPublishedProof(nodeCrypto, published, published.public_key)),
    'none',
  )
  for (const nonsense of [null, 1, 'x', [], {}, { ...published, pages: null }, { ...published, pages: [null] }])
    assert.equal(
      faultOf(() => verifyPublishedProof(nodeCrypto, nonsense as never)),
      'published_form',
    )
  for (const nonsense of [null, 1, 'x', [], {}, { format: 'coffer-proof-merchant-1' }])
    assert.notEqual(check(nonsense as never, published), 'none')
})

const vectors = readFileSync(new URL('../../../../docs/proof.md', import.meta.url), 'utf8')
/** The value of a row of the table of test vectors. */
const vector = (name: string) =>
  new RegExp(`\\| ${name} +\\| \`([^\`]*)\` +\\|`).exec(vectors)?.[1] ?? assert.fail(`no vector ${name}`)

test('the vectors of docs/proof.md', () => {
  const leaf = (merchant: string, index: number, amount: bigint, salt: number) =>
    computeLeaf(nodeCrypto, {
      id: '2026-11-30',
      asset: 'eth:USDT',
      merchant,
      index,
      amount,
      salt: new Uint8Array(32).fill(salt),
    })
  const a = leaf('M100001', 0, 1_500_000n, 1)
  const b = leaf('M100001', 1, 0n, 2)
  const padding = { hash: new Uint8Array(32).fill(0xee), sum: 0n }
  const c = leaf('商户', 0, 2n ** 200n, 3)
  const left = computeParent(nodeCrypto, a, b)
  const right = computeParent(nodeCrypto, padding, c)
  const root = computeParent(nodeCrypto, left, right)
  const found = { a, b, c, left, right, root }
  for (const [name, node] of Object.entries(found)) {
    assert.equal(vector(`hash of ${name}`), encodeHex(node.hash))
    assert.equal(vector(`sum of ${name}`), String(node.sum))
  }
})

test('the example of docs/proof.md', () => {
  const made = makeExample(balances, 731_999_999n, { random: fixedBytes() })
  const stored = JSON.parse(readFileSync(new URL('../../../../docs/proof-example.json', import.meta.url), 'utf8'))
  assert.deepEqual(stored, { published: made.published, merchant: made.merchantProof('M1') })
  const { statement } = verifyMerchantProof(nodeCrypto, stored.merchant, stored.published, { merchant: 'M1' })
  assert.equal(statement.assets[0]!.difference, '-29')
})
