import { randomBytes } from 'node:crypto'
import { before, beforeEach } from 'node:test'
import { withAnvil } from '@coffer/local/testing/anvil.ts'
import { suiteScope } from '@coffer/local/testing/scope.ts'
import type { Abi, Hex } from 'viem'
import { decodeFunctionResult, encodeDeployData, encodeFunctionData } from 'viem/utils'
import type { Harness, Payment } from '../conformance.ts'
import { FeeToken, Forwarder, Token, UsdtLike } from '../evm/generated/contracts.ts'
import { postJson } from '../tron/post.ts'
import { nearby } from './near.ts'

const GAS = '0x4c4b40'
/** Bytecode that reverts every call. */
const REVERTS = '0x5f5ffd'

/** A local chain with the test contracts and a funded payer. Blocks are mined on request only. */
export type World = {
  url: string
  /** Makes a JSON-RPC call. Rejects with the node's message. */
  call: <T = unknown>(method: string, ...params: unknown[]) => Promise<T>
  payer: string
  token: string
  feeToken: string
  foreign: string
  forwarder: string
  /** Sends a transaction from the payer without mining it. */
  submit: (to: string | null, data: Hex, value?: bigint) => Promise<string>
  /** Sends native coin by an internal call, and mines. */
  payInside: (to: string, amount: bigint) => Promise<string>
  pay: (transactions: Payment[][], how?: 'succeeds' | 'reverts') => Promise<string[]>
  mine: (blocks: number) => Promise<void>
  reorg: (depth: number, transactions: 'lost' | 'again') => Promise<void>
}

const invoke = (abi: Abi, functionName: string, args: unknown[]) => encodeFunctionData({ abi, functionName, args })

/** Sets up a fresh anvil: deploys the contracts and funds the payer. */
export async function makeWorld(url: string): Promise<World> {
  const call = callsTo(url)
  await call('evm_setAutomine', false)
  const [payer] = await call<string[]>('eth_accounts')
  if (!payer) throw new Error('anvil has no accounts')
  const submit = (to: string | null, data: Hex, value = 0n) =>
    call<string>('eth_sendTransaction', {
      from: payer,
      ...(to ? { to } : {}),
      data,
      value: `0x${value.toString(16)}`,
      gas: GAS,
    })
  const mine = async (blocks: number) => {
    if (blocks > 0) await call('anvil_mine', `0x${blocks.toString(16)}`)
  }
  const local = { url, call, payer, submit, mine }
  const contracts = await deployContracts(local)
  const { forwarder } = contracts
  return {
    ...local,
    ...contracts,
    payInside: async (to, amount) => {
      const txid = await submit(forwarder, invoke(Forwarder.abi, 'forward', [to]), amount)
      await mine(1)
      return txid
    },
    pay: async (transactions, how = 'succeeds') => {
      const txids: string[] = []
      for (const payments of transactions) txids.push(await sendPayments({ ...local, forwarder }, payments, how))
      await mine(1)
      return txids
    },
    reorg: (depth, transactions) => reorganise(call, depth, transactions),
  }
}

/** A chain without the contracts. */
type Local = Pick<World, 'url' | 'call' | 'payer' | 'submit' | 'mine'>

const callsTo =
  (url: string): World['call'] =>
  async <T>(method: string, ...params: unknown[]): Promise<T> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const { result, error } = (await postJson(url, body)) as { result: T; error?: { message: string } }
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }

/** Deploys the contracts of tests, and gives the payer their tokens. */
async function deployContracts({ call, payer, submit, mine }: Local) {
  const deploy = async ({ abi, bytecode }: { abi: Abi; bytecode: Hex }, args: unknown[]) => {
    const txid = await submit(null, encodeDeployData({ abi, bytecode, args }))
    await mine(1)
    const receipt = await call<{ contractAddress: string }>('eth_getTransactionReceipt', txid)
    return receipt.contractAddress.toLowerCase()
  }
  const token = await deploy(UsdtLike, ['Tether USD', 'USDT', 6])
  const feeToken = await deploy(FeeToken, ['Fee Token', 'FEE'])
  const foreign = await deploy(Token, ['Tether USD', 'USDT'])
  const forwarder = await deploy(Forwarder, [])
  const supply = 10n ** 71n
  for (const contract of [token, feeToken, foreign]) {
    await submit(contract, invoke(Token.abi, 'issue', [payer, supply]))
    await submit(contract, invoke(Token.abi, 'approve', [forwarder, supply]))
  }
  await mine(1)
  return { token, feeToken, foreign, forwarder }
}

/** Submits a transaction of these payments, of one token, without mining it. */
async function sendPayments(
  { call, submit, forwarder }: Local & { forwarder: string },
  payments: Payment[],
  how: 'succeeds' | 'reverts',
): Promise<string> {
  const { token: contract, to, amount } = payments[0]!
  if (contract === null) {
    if (how === 'reverts') await call('anvil_setCode', to, REVERTS)
    return submit(to, '0x', amount)
  }
  if (how === 'reverts') return submit(forwarder, invoke(Forwarder.abi, 'payAndFail', [contract, to, amount]))
  if (payments.length === 1) return submit(contract, invoke(Token.abi, 'transfer', [to, amount]))
  const lists = [payments.map(payment => payment.to), payments.map(payment => payment.amount)]
  return submit(forwarder, invoke(Forwarder.abi, 'spread', [contract, ...lists]))
}

/** Replaces the last blocks; their transactions are lost, or mined again each in the first of the new blocks. */
async function reorganise(call: World['call'], depth: number, transactions: 'lost' | 'again'): Promise<void> {
  const pairs: [string, number][] = []
  const head = Number(await call<string>('eth_blockNumber'))
  for (let number = head - depth + 1; number <= head && transactions === 'again'; number++) {
    const block = await call<{ transactions: string[] }>('eth_getBlockByNumber', `0x${number.toString(16)}`, false)
    for (const txid of block.transactions) pairs.push([await call('eth_getRawTransactionByHash', txid), 0])
  }
  // Empty blocks at the same times would be the same blocks.
  await call('anvil_setCoinbase', `0x${randomBytes(20).toString('hex')}`)
  await call('anvil_reorg', depth, pairs)
}

/** Reads a token balance without using the adapter. */
export async function tokenBalance(world: World, token: string, owner: string): Promise<bigint> {
  const data = encodeFunctionData({ abi: Token.abi, functionName: 'balanceOf', args: [owner as Hex] })
  const answer = await world.call<Hex>('eth_call', { to: token, data }, 'latest')
  return decodeFunctionResult({ abi: Token.abi, functionName: 'balanceOf', data: answer })
}

/**
 * A fresh anvil and nodes over it for the tests of a suite: opened before them, then `prepare`d, with all nodes healthy
 * before each test.
 */
export function suiteWorld<Node extends Parameters<typeof nearby>[0] & { reset: () => void }>(
  count: number,
  start: (url: string) => Promise<Node>,
  prepare?: (world: World) => Promise<void>,
): { world: World; nodes: Node[] } {
  const it = {} as { world: World; nodes: Node[] }
  const scope = suiteScope()
  before(async () => {
    it.world = await makeWorld((await withAnvil(scope)).url)
    it.nodes = await Promise.all(Array.from({ length: count }, async () => nearby(await start(it.world.url))))
    for (const node of it.nodes) scope.after(node.stop)
    await prepare?.(it.world)
  })
  beforeEach(() => {
    for (const node of it.nodes) node.reset()
  })
  return it
}

/**
 * Opens a harness of the conformance suite over a fresh anvil: `open` adds the adapter and its nodes, closed by
 * `after`.
 */
export const anvilHarness =
  (
    open: (
      world: World,
      after: (end: () => unknown) => void,
    ) => Promise<Pick<Harness, 'chain' | 'archive' | 'nodes'> & Partial<Pick<Harness, 'pay'>>>,
  ) =>
  async (): Promise<Harness> => {
    const ends: (() => unknown)[] = []
    const after = (end: () => unknown) => void ends.push(end)
    const world = await makeWorld((await withAnvil({ after })).url)
    return {
      ...world,
      fails: true,
      forms: {
        address: index => `0x${(0xc0ffee0000 + index).toString(16).padStart(40, '0')}`,
        isSender: from => /^0x[0-9a-f]{40}$/.test(from),
        unknown: { hash: `0x${'ab'.repeat(32)}`, txid: `0x${'cd'.repeat(32)}` },
      },
      ...(await open(world, after)),
      stop: async () => {
        for (const end of ends.toReversed()) await end()
      },
    }
  }
