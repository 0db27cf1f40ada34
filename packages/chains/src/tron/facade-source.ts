import { forgetIds, idsOf } from './facade-broadcast.ts'
import { httpBlock, type Raw } from './facade-shapes.ts'
import { post } from './post.ts'

/** What emulated nodes read from the local chain, with few requests. */
export type Source = {
  /** Calls a method of the local chain; undefined where it answers with an error. */
  ask: <T = Raw>(method: string, ...params: unknown[]) => Promise<T>
  /** The chain as it is now. */
  current: () => Promise<View>
  receiptsOf: (block: Raw) => Promise<Raw[]>
  /**
   * A block with all its transactions as the HTTP API returns it. Ids of the local chain are then known by those of
   * TRON.
   */
  shown: (block: Raw) => Promise<Raw>
}

/** A chain under its latest block. */
type View = {
  height: number
  /** A block with its transactions or their hashes; null above the latest. */
  block: (number: number, full: boolean) => Promise<Raw | null>
}

interface Call {
  request: { jsonrpc: string; id: number; method: string; params: unknown[] }
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

const sources = new Map<string, Source>()

/** The source of all emulated nodes of the local chain at `target`. */
export function sourceOf(target: string): Source {
  const source = sources.get(target) ?? createSource(target)
  sources.set(target, source)
  return source
}

/** Ends what the emulated nodes of a local chain share: another chain may have its address next. */
export function forgetChain(target: string): void {
  sources.delete(target)
  forgetIds(target)
}

function createSource(target: string): Source {
  const ask = batched(target)
  const receiptsOf = receiptsFrom(ask)
  return { ask, current: viewsFrom(ask), receiptsOf, shown: shapesFrom(target, ask, receiptsOf) }
}

/** Returns what reads the chain as it is now. */
function viewsFrom(ask: Source['ask']): Source['current'] {
  /** Blocks by height under the latest one, whose hash fixes them all. */
  let tip = ''
  let blocks = new Map<number, Raw>()
  let pending: Promise<View> | undefined

  const latest = async (): Promise<View> => {
    const found = await ask('eth_getBlockByNumber', 'latest', true)
    if (found.hash !== tip && found.parentHash !== tip) blocks = new Map()
    tip = String(found.hash)
    const known = blocks
    const height = Number(found.number)
    known.set(height, found)
    const block = async (number: number, full: boolean) => {
      if (number > height) return null
      const it = known.get(number) ?? (await ask<Raw | null>('eth_getBlockByNumber', `0x${number.toString(16)}`, true))
      if (!it) return null
      known.set(number, it)
      return full ? it : { ...it, transactions: (it.transactions as Raw[]).map(({ hash }) => hash) }
    }
    return { height, block }
  }

  /** Callers before the request leaves share it: its answer is later than each of them. */
  return () => {
    if (pending) return pending
    pending = latest()
    setImmediate(() => {
      pending = undefined
    })
    return pending
  }
}

/** Returns what reads the receipts of a block, each block once. */
function receiptsFrom(ask: Source['ask']): Source['receiptsOf'] {
  const receipts = new Map<string, Promise<Raw[] | null>>()
  return async ({ hash, transactions }) => {
    if ((transactions as unknown[]).length === 0) return []
    const pending = receipts.get(String(hash)) ?? ask<Raw[] | null>('eth_getBlockReceipts', hash)
    receipts.set(String(hash), pending)
    const found = await pending
    // Replaced meanwhile.
    if (!found) receipts.delete(String(hash))
    return found ?? Promise.all((transactions as Raw[]).map(each => ask('eth_getTransactionReceipt', each.hash)))
  }
}

/** Returns what shapes a block as the HTTP API does, each block once. */
function shapesFrom(target: string, ask: Source['ask'], receiptsOf: Source['receiptsOf']): Source['shown'] {
  const known = new Map<string, Promise<Raw>>()
  const shown = (block: Raw): Promise<Raw> => {
    const made = known.get(String(block.hash)) ?? make(block)
    known.set(String(block.hash), made)
    return made
  }
  const make = async (block: Raw): Promise<Raw> => {
    const { tron, local, raws } = idsOf(target)
    const learn = (own: unknown, id: unknown) => {
      tron.set(String(own).slice(2), String(id))
      local.set(String(id), String(own).slice(2))
    }
    const isFirst = Number(block.number) === 0
    const parent = isFirst ? null : await ask('eth_getBlockByHash', block.parentHash, true)
    const [receipts, before] = await Promise.all([receiptsOf(block), parent && shown(parent)])
    const transactions = (block.transactions as Raw[]).map(
      (each): Raw => ({
        ...each,
        raw: raws.get(String(each.hash).slice(2)),
      }),
    )
    const made = httpBlock({ ...block, transactions }, receipts, String(before?.blockID ?? '0'.repeat(64)), block.hash)
    learn(block.hash, made.blockID)
    for (const [i, { txID }] of ((made.transactions ?? []) as Raw[]).entries()) learn(transactions[i]!.hash, txID)
    return made
  }
  return shown
}

/** Returns a function that calls methods; calls made in one turn of the event loop share an HTTP request. */
function batched(target: string): Source['ask'] {
  let waiting: Call[] = []
  const send = async () => {
    const calls = waiting
    waiting = []
    try {
      const body = JSON.stringify(calls.map(({ request }) => request))
      const answers = (await post(target, body)) as { id: number; result: unknown }[]
      const results = new Map(answers.map(({ id, result }) => [id, result]))
      for (const { request, resolve } of calls) resolve(results.get(request.id))
    } catch (error) {
      for (const { reject } of calls) reject(error)
    }
  }
  return <T>(method: string, ...params: unknown[]) =>
    new Promise<T>((resolve, reject) => {
      if (waiting.length === 0) setImmediate(send)
      const request = { jsonrpc: '2.0', id: waiting.length, method, params }
      waiting.push({ request, resolve: resolve as Call['resolve'], reject })
    })
}
