import { isOpen } from '@coffer/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { openEventStream } from '../../http/sse.ts'
import { makePlaces } from '../../http/stream-places.ts'
import { ipKey } from '../../kit/visitor.ts'
import type { Checkout } from './present-checkout.ts'

/** How often (ms) a payment is looked at without a hint: often while blocks confirm it, which no hint tells. */
const lookMs = { confirming: 3_000, waiting: 15_000 }
/** A payment that is over is watched a little longer (ms), then the stream ends. */
const graceMs = 60_000
/** Open streams of one visitor's network. */
const enter = makePlaces(50)

/** Sends the payment at once and after every change, until a while after it is over. Resolves when the stream has ended. */
export async function streamCheckout(
  { deps, ip, reply, request }: { deps: Deps; ip: string; reply: FastifyReply; request: FastifyRequest },
  tradeNo: string,
  read: () => Promise<Checkout>,
): Promise<void> {
  const first = await read()
  const leave = enter(ipKey(ip))
  const stream = openEventStream(reply)
  let timer: NodeJS.Timeout | undefined
  let overSince: number | undefined
  let last = ''
  let ended = false
  const show = (view: Checkout) => {
    const { now: _, ...rest } = view
    const text = JSON.stringify(rest)
    if (text !== last) stream.send(view)
    last = text
    overSince = isOver(view) ? (overSince ?? Date.now()) : undefined
    if (overSince !== undefined && Date.now() - overSince >= graceMs) stream.close()
    const confirming = view.deposits.some(({ state }) => state === 'seen')
    timer = setTimeout(look, confirming ? lookMs.confirming : lookMs.waiting)
  }
  const look = oneAtATime(async () => {
    clearTimeout(timer)
    try {
      const view = await read()
      if (!ended) show(view)
    } catch (error) {
      if (ended) return
      request.log.warn({ err: error }, 'a checkout stream could not read its payment')
      timer = setTimeout(look, lookMs.waiting)
    }
  })
  const unlisten = deps.live.onPayment(tradeNo, look)
  show(first)
  await stream.closed
  unlisten()
  clearTimeout(timer)
  ended = true
  leave()
}

/** Nothing more is expected: neither is it open nor is anything on its way. */
const isOver = ({ status, deposits }: Checkout) => !isOpen(status) && deposits.every(({ state }) => state !== 'seen')

/** Calls that come while one runs are made up for by one more after it. */
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
