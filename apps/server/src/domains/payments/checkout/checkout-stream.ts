import { isPayableStatus } from '@coffer/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { type EventStream, openEventStream } from '../../../http/sse.ts'
import { makeEventStreamLimiter } from '../../../http/stream-places.ts'
import { toIpRateLimitKey } from '../../../kit/visitor.ts'
import type { Checkout } from './present-checkout.ts'

/** Polling intervals (ms) between hints; shorter while a deposit confirms, because new confirmations emit no hint. */
const lookMs = { confirming: 3_000, waiting: 15_000 }
/** Time (ms) a stream stays open after its payment has ended. */
const graceMs = 60_000
/** Open streams of all payers and of one address. Merchants have places of their own. */
const enter = makeEventStreamLimiter(5_000, { address: 50 })

/**
 * Sends the payment immediately and after each change, until `graceMs` after it ends. Resolves when the stream has
 * closed.
 */
export async function streamCheckout(
  { deps, ip, reply, request }: { deps: Deps; ip: string; reply: FastifyReply; request: FastifyRequest },
  tradeNo: string,
  read: () => Promise<Checkout>,
): Promise<void> {
  // Listens before the first read: a change between the two would show only at the next look.
  let isOutdated = false
  let onHint = () => {
    isOutdated = true
  }
  const unlisten = deps.live.onPayment(tradeNo, () => onHint())
  try {
    const first = await read()
    const leave = enter({ address: toIpRateLimitKey(ip) })
    const stream = openEventStream(reply)
    const { look, show, stop } = follow(stream, read, error =>
      request.log.warn({ err: error }, 'checkout stream failed to read its payment'),
    )
    onHint = look
    show(first)
    if (isOutdated) look()
    await stream.closed
    stop()
    leave()
  } finally {
    unlisten()
  }
}

/**
 * Sends what `read` returns, when it has changed. `look` reads now, `show` sends what was read elsewhere; both schedule
 * the next look.
 */
function follow(stream: EventStream, read: () => Promise<Checkout>, onError: (error: unknown) => void) {
  let timer: NodeJS.Timeout | undefined
  let overSince: number | undefined
  let last = ''
  let ended = false
  const show = (view: Checkout) => {
    const { now: _, ...rest } = view
    const text = JSON.stringify(rest)
    if (text !== last) stream.send(view)
    last = text
    overSince = isCheckoutOver(view) ? (overSince ?? Date.now()) : undefined
    if (overSince !== undefined && Date.now() - overSince >= graceMs) stream.close()
    const confirming = view.deposits.some(isConfirming)
    timer = setTimeout(look, confirming ? lookMs.confirming : lookMs.waiting)
  }
  const look = oneAtATime(async () => {
    clearTimeout(timer)
    try {
      const view = await read()
      if (!ended) show(view)
    } catch (error) {
      if (ended) return
      onError(error)
      timer = setTimeout(look, lookMs.waiting)
    }
  })
  const stop = () => {
    clearTimeout(timer)
    ended = true
  }
  return { look, show, stop }
}

/** Whether a deposit becomes a credit soon: one that is not accepted waits for an operator, for days perhaps. */
const isConfirming = ({ state, accepted }: Checkout['deposits'][number]) => state === 'seen' && accepted

/** Whether the payment has ended and has no unconfirmed deposits. */
export const isCheckoutOver = ({ status, deposits }: Checkout) =>
  !isPayableStatus(status) && !deposits.some(isConfirming)

/** Serializes calls to `work`. Calls made during a run are coalesced into one further run. */
function oneAtATime(work: () => Promise<void>): () => void {
  let running = false
  let again = false
  const run = async () => {
    if (running) {
      again = true
      return
    }
    running = true
    do {
      again = false
      await work()
    } while (again)
    running = false
  }
  return () => void run()
}
