import { emulatedStateOf, forgetIds } from './facade-broadcast.ts'
import { type RawJsonObject, toTronHttpBlock } from './facade-shapes.ts'
import { postJson } from './post.ts'

/** What emulated nodes read from the local chain, with few requests. */
export type LocalChainSource = {
  /** Calls a method of the local chain; undefined where it answers with an error. */
  ask: <T = RawJsonObject>(method: string, ...params: unknown[]) => Promise<T>
  /** The chain as it is now. */
  current: () => Promise<View>
  receiptsOf: (block: RawJsonObject) => Promise<RawJsonObject[]>
  /**
   * A block with all its transactions as the HTTP API returns it. Ids of the local chain are then known by those of
   * TRON.
   */
  shown: (block: RawJsonObject) => Promise<RawJsonObject>
}

/** A chain under its latest block. */
type View = {
  height: number
  /** A block with its transactions or their hashes; null above the latest. */
  block: (number: number, full: boolean) => Promise<RawJsonObject | null>
}

interface Call {
  request: { jsonrpc: string; id: number; method: string; params: unknown[] }
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

const sources = new Map<string, LocalChainSource>()

/** The source of all emulated nodes of the local chain at `target`. */
export function localChainSourceOf(target: string): LocalChainSource {
  const source = sources.get(target) ?? createSource(target)
  sources.set(target, source)
  return source
}

/** Ends what the emulated nodes of a local chain share: another chain may have its address next. */
export function forgetChain(target: string): void {
  sources.delete(target)
  forgetIds(target)
}

function createSource(target: string): LocalChainSource {
  const ask = batched(target)
  const receiptsOf = receiptsFrom(ask)
  return { ask, current: viewsFrom(ask), receiptsOf, shown: shapesFrom(target, ask, receiptsOf) }
}

/** Returns what reads the chain as it is now. */
function viewsFrom(ask: LocalChainSource['ask']): LocalChainSource['current'] {
  /** Blocks by height under the latest one, whose hash fixes them all. */
  let tip = ''
  let blocks = new Map<number, RawJsonObject>()
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
      const it =
        known.get(number) ?? (await ask<RawJsonObject | null>('eth_getBlockByNumber', `0x${number.toString(16)}`, true))
      if (!it) return null
      known.set(number, it)
      return full ? it : { ...it, transactions: (it.transactions as RawJsonObject[]).map(({ hash }) => hash) }
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
function receiptsFrom(ask: LocalChainSource['ask']): LocalChainSource['receiptsOf'] {
  const receipts = new Map<string, Promise<RawJsonObject[] | null>>()
  return async ({ hash, transactions }) => {
    if ((transactions as unknown[]).length === 0) return []
    const pending = receipts.get(String(hash)) ?? ask<RawJsonObject[] | null>('eth_getBlockReceipts', hash)
    receipts.set(String(hash), pending)
    const found = await pending
    // Replaced meanwhile.
    if (!found) receipts.delete(String(hash))
    return (
      found ?? Promise.all((transactions as RawJsonObject[]).map(each => ask('eth_getTransactionReceipt', each.hash)))
    )
  }
}

/** Returns what shapes a block as the HTTP API does, each block once. */
function shapesFrom(
  target: string,
  ask: LocalChainSource['ask'],
  receiptsOf: LocalChainSource['receiptsOf'],
): LocalChainSource['shown'] {
  const known = new Map<string, Promise<RawJsonObject>>()
  const shown = (block: RawJsonObject): Promise<RawJsonObject> => {
    const made = known.get(String(block.hash)) ?? make(block)
    known.set(String(block.hash), made)
    return made
  }
  const make = async (block: RawJsonObject): Promise<RawJsonObject> => {
    const { tron, local, raws } = emulatedStateOf(target)
    const learn = (own: unknown, id: unknown) => {
      tron.set(String(own).slice(2), String(id))
      local.set(String(id), String(own).slice(2))
    }
    const isFirst = Number(block.number) === 0
    const parent = isFirst ? null : await ask('eth_getBlockByHash', block.parentHash, true)
    const [receipts, before] = await Promise.all([receiptsOf(block), parent && shown(parent)])
    const transactions = (block.transactions as RawJsonObject[]).map(
      (each): RawJsonObject => ({
        ...each,
        raw: raws.get(String(each.hash).slice(2)),
      }),
    )
    const made = toTronHttpBlock(
      { ...block, transactions },
      receipts,
      String(before?.blockID ?? '0'.repeat(64)),
      block.hash,
    )
    learn(block.hash, made.blockID)
    for (const [i, { txID }] of ((made.transactions ?? []) as RawJsonObject[]).entries())
      learn(transactions[i]!.hash, txID)
    return made
  }
  return shown
}

/** Returns a function that calls methods; calls made in one turn of the event loop share an HTTP request. */
function batched(target: string): LocalChainSource['ask'] {
  let waiting: Call[] = []
  const send = async () => {
    const calls = waiting
    waiting = []
    try {
      const body = JSON.stringify(calls.map(({ request }) => request))
      const answers = (await postJson(target, body)) as { id: number; result: unknown }[]
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
