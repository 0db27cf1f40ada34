import { setImmediate } from 'node:timers/promises'
import { ChainUnavailable, ResponseTooLarge } from '../errors.ts'
import { nodeTransport, type RawResponse, type RequestLimits } from '../nodes/transport.ts'

/** An emulated node in this process. */
interface Near {
  /** Base URL of all its interfaces. */
  url: string
  /** Answers a request without HTTP. */
  answer: (path: string, body: string) => Promise<string>
  /** Breaks HTTP exchanges, if set. */
  breaks: unknown
  stop: () => Promise<void>
}

/** Nodes that are called without HTTP, by their origin, with what ends the calls that they have not answered. */
const nodes = new Map<string, { node: Near; pending: Set<(error: Error) => void> }>()

/**
 * Has the chains of this process call a node without HTTP, which takes most of the processor time of tests over a local
 * chain, except while it breaks exchanges. Returns the node.
 */
export function nearby<Node extends Near>(node: Node): Node {
  const { origin } = new URL(node.url)
  const { stop } = node
  const pending = new Set<(error: Error) => void>()
  nodes.set(origin, { node, pending })
  return Object.assign(node, {
    stop: async () => {
      nodes.delete(origin)
      for (const end of pending) end(new ChainUnavailable('ECONNRESET'))
      await stop()
    },
  })
}

const { send } = nodeTransport
nodeTransport.send = (url, to, body, limits) => {
  const { origin, pathname } = new URL(url)
  const near = nodes.get(origin)
  if (!near || near.node.breaks) return send(url, to, body, limits)
  const { promise: ended, reject: end } = Promise.withResolvers<never>()
  near.pending.add(end)
  return call(() => near.node.answer(pathname, body), { ended, end }, limits).finally(() => near.pending.delete(end))
}

/** Calls a node within the limits of a request, until it ends. */
async function call(
  ask: () => Promise<string>,
  { ended, end }: { ended: Promise<never>; end: (error: Error) => void },
  limits: RequestLimits,
): Promise<RawResponse> {
  const { timeoutMs, maxBytes, holder, exceeded } = limits
  const timer = setTimeout(() => end(new ChainUnavailable('timeout')), timeoutMs)
  const giveUp = () => end(new ChainUnavailable('given up'))
  holder.signal.addEventListener('abort', giveUp)
  const answered = setImmediate().then(ask)
  const lost = () => {
    throw new ChainUnavailable('ECONNRESET')
  }
  try {
    const text = await Promise.race([answered.catch(lost), ended])
    const bytes = Buffer.byteLength(text)
    if (bytes > maxBytes) throw exceeded?.(maxBytes) ?? new ResponseTooLarge(`response exceeds ${maxBytes} bytes`)
    holder.take(bytes)
    return { status: 200, text }
  } finally {
    clearTimeout(timer)
    holder.signal.removeEventListener('abort', giveUp)
  }
}
