import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Anvil, type AnvilOptions, startAnvil } from '../anvil.ts'
import { rpc } from '../anvil-state.ts'
import type { Scope } from './postgres.ts'

type Options = Partial<Pick<AnvilOptions, 'chainId' | 'blockTime' | 'genesisTime' | 'port' | 'folder'>>

/**
 * Starts a chain that ends with the scope: in `folder`, which keeps its state, or a new one. Defaults: chain id 31337,
 * one block per transaction. A chain of which no more than the id is said may be one that an earlier test of this
 * process has used, begun anew. Tests start chains by this alone: one that nobody stops would keep their file from
 * ending.
 */
export async function withAnvil(scope: Scope, options: Options = {}): Promise<Anvil> {
  const { chainId = 31337, ...others } = options
  if (Object.keys(others).length === 0) return withWarmAnvil(scope, chainId)
  const { anvil, close } = await open(chainId, others)
  scope.after(close)
  return anvil
}

async function open(chainId: number, options: Omit<Options, 'chainId'> = {}) {
  const keep = options.folder !== undefined
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'coffer-test-anvil-'))
  const anvil = await startAnvil({ chainId, ...options, keep, folder })
  const close = async () => {
    await anvil.stop()
    if (!keep) rmSync(folder, { recursive: true, force: true })
  }
  return { anvil, close }
}

/** A chain that one test uses after the other. */
interface Spare {
  anvil: Anvil
  close: () => Promise<void>
  /** The node's own. */
  accounts: readonly string[]
  /** When its clock was last set (Unix seconds). */
  began: number
  /** The state of its start, by the id that the node gave it. */
  start: unknown
}

/** Chains that no test uses now, by their ids. Starting one takes ten times as long as beginning one anew. */
const spares = new Map<number, Spare[]>()

async function withWarmAnvil(scope: Scope, chainId: number): Promise<Anvil> {
  const spare = (await takeSpare(chainId)) ?? (await createSpare(chainId))
  let isStopped = false
  scope.after(async () => {
    if (isStopped) await spare.close()
    else giveBack(spare)
  })
  const stop = () => {
    isStopped = true
    return spare.anvil.stop()
  }
  return { ...spare.anvil, stop }
}

async function createSpare(chainId: number): Promise<Spare> {
  const { anvil, close } = await open(chainId)
  anvil.unref()
  const began = Math.floor(Date.now() / 1_000)
  const accounts = await readAccounts(anvil.url)
  return { anvil, close, accounts, began, start: await rpc(anvil.url, 'evm_snapshot') }
}

/** Reads the accounts for which the node signs: its own, and those that are impersonated. */
const readAccounts = async (url: string) => (await rpc(url, 'eth_accounts')) as string[]

async function takeSpare(chainId: number): Promise<Spare | undefined> {
  for (;;) {
    const spare = spares.get(chainId)?.pop()
    if (!spare) return undefined
    try {
      await beginAnew(spare)
      return spare
    } catch {
      // It has ended.
      await spare.close()
    }
  }
}

function giveBack(spare: Spare): void {
  if (spares.size === 0) process.on('beforeExit', closeSpares)
  const { chainId } = spare.anvil
  spares.set(chainId, [...(spares.get(chainId) ?? []), spare])
}

async function closeSpares(): Promise<void> {
  const all = [...spares.values()].flatMap(some => some.splice(0))
  await Promise.all(all.map(({ close }) => close()))
}

/** Makes a chain as it is when its node has just started, with the first block of that start. */
async function beginAnew(spare: Spare): Promise<void> {
  const call = (method: string, ...params: unknown[]) => rpc(spare.anvil.url, method, params)
  await Promise.all([
    call('anvil_dropAllTransactions'),
    call('evm_setAutomine', true),
    call('anvil_setCoinbase', `0x${'0'.repeat(40)}`),
  ])
  const accounts = await readAccounts(spare.anvil.url)
  const impersonated = accounts.filter(account => !spare.accounts.includes(account))
  await Promise.all(impersonated.map(account => call('anvil_stopImpersonatingAccount', account)))
  if (!(await call('evm_revert', spare.start))) throw new Error('the chain has lost its start')
  spare.start = await call('evm_snapshot')
  // The clock goes back with the chain, other than the fee of the next block.
  await call('anvil_setNextBlockBaseFeePerGas', '0x3b9aca00')
  // No block is that of an earlier test: the node forgets the state of both once it forgets the older one's.
  spare.began = Math.max(spare.began + 1, Math.floor(Date.now() / 1_000))
  await call('evm_setTime', spare.began)
}
