import { createHash, createPrivateKey, createPublicKey, randomBytes, sign, verify } from 'node:crypto'
import {
  computeLeaf,
  encodeHex,
  formatReservePage,
  formatStatement,
  hashPages,
  type MerchantProof,
  type ProofCrypto,
  type ProofStatement,
  type PublishedProof,
  type ReservePage,
  reservePageMessage,
  statementMessage,
  type TreeNode,
} from './format.ts'
import { computeLeafCap, type RandomBytes, shuffle, splitBalance } from './split.ts'
import { buildSumTree, pathOf, roundUpToTreeSize } from './tree.ts'

/** Prefixes of the DER forms of Ed25519 keys. */
const privateDer = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicDer = Buffer.from('302a300506032b6570032100', 'hex')

export const nodeCrypto: ProofCrypto = {
  hash: bytes => createHash('sha256').update(bytes).digest(),
  isSigned: (signature, message, publicKey) => {
    const key = createPublicKey({ key: Buffer.concat([publicDer, publicKey]), format: 'der', type: 'spki' })
    return verify(null, message, key, signature)
  },
}

/** The key of examples: 32 bytes of 7. */
const key = createPrivateKey({ key: Buffer.concat([privateDer, Buffer.alloc(32, 7)]), format: 'der', type: 'pkcs8' })
const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex')
const signed = (message: Uint8Array) => sign(null, message, key).toString('hex')

/** Bytes that are always the same: the SHA-256 of a counter. */
export function fixedBytes(): RandomBytes {
  let counter = 0
  return length => {
    const blocks = Array.from({ length: Math.ceil(length / 32) }, () =>
      createHash('sha256').update(String(counter++)).digest(),
    )
    return Buffer.concat(blocks).subarray(0, length)
  }
}

export const signStatement = (statement: ProofStatement, pages: ReservePage[]): PublishedProof => {
  const text = formatStatement(statement)
  return {
    format: 'coffer-proof-1',
    statement: text,
    signature: signed(statementMessage(text)),
    public_key: publicKey,
    pages: pages.map(page => {
      const of = formatReservePage(page)
      return { text: of, signature: signed(reservePageMessage(of)) }
    }),
  }
}

const asset = 'eth:USDT'

/** A proof of one asset that merchants own, held at one address. */
export function makeExample(
  balances: Record<string, bigint>,
  held: bigint,
  { id = '2026-11-30', random = (length: number) => randomBytes(length) }: { id?: string; random?: RandomBytes } = {},
) {
  const owed = Object.values(balances).reduce((sum, each) => sum + each, 0n)
  const cap = computeLeafCap(owed, Object.values(balances).filter(each => each > 0n).length)
  const all = Object.entries(balances).flatMap(([merchant, balance]) =>
    splitBalance(balance, cap, random).map((amount, index) => ({ merchant, index, amount, salt: random(32) })),
  )
  const size = roundUpToTreeSize(all.length)
  const padding = Array.from({ length: size - all.length }, () => null)
  const placed = shuffle([...all, ...padding], random)
  const tree = buildSumTree(
    nodeCrypto,
    placed.map(each => (each ? computeLeaf(nodeCrypto, { id, asset, ...each }) : { hash: random(32), sum: 0n })),
  )
  const { statement, pages } = makeStatement(id, size, tree.root, held)
  const merchantProof = (merchant: string): MerchantProof => ({
    format: 'coffer-proof-merchant-1',
    id,
    merchant,
    assets: [
      {
        asset,
        balance: String(balances[merchant]),
        leaves: all
          .filter(each => each.merchant === merchant)
          .map(leaf => ({
            place: placed.indexOf(leaf),
            amount: String(leaf.amount),
            salt: encodeHex(leaf.salt),
            path: pathOf(tree, placed.indexOf(leaf)).map(({ hash, sum }) => ({
              hash: encodeHex(hash),
              sum: String(sum),
            })),
          })),
      },
    ],
  })
  return { statement, pages, published: signStatement(statement, pages), merchantProof }
}

function makeStatement(id: string, leaves: number, root: TreeNode, held: bigint) {
  const block = { number: 23_000_000, hash: `0x${'ab'.repeat(32)}`, until: null }
  const page: ReservePage = {
    id,
    chain: 'eth',
    page: 0,
    block,
    addresses: [{ address: `0x${'11'.repeat(20)}`, by: 'seed', balances: [{ asset, amount: String(held) }] }],
  }
  const statement: ProofStatement = {
    id,
    time: 1_796_000_000,
    previous: null,
    chains: [
      {
        id: 'eth',
        kind: 'evm',
        chain_id: 1,
        block,
        reason: '',
        pages: 1,
        pages_hash: hashPages(nodeCrypto, [formatReservePage(page)]),
      },
    ],
    assets: [
      {
        id: asset,
        chain: 'eth',
        symbol: 'USDT',
        contract: '0xdac17f958d2ee523a2206206994597c13d831ec7',
        decimals: 6,
        leaves,
        root: encodeHex(root.hash),
        owed: String(root.sum),
        pending: '0',
        held: String(held),
        difference: String(held - root.sum),
      },
    ],
  }
  return { statement, pages: [page] }
}
