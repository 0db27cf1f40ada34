import { defineHandlers } from '../../http/context.ts'
import { openEventStream } from '../../http/sse.ts'
import { makePlaces } from '../../http/stream-places.ts'
import { sessionLives } from './session-lives.ts'

/** Interval (ms) at which an open stream checks that its session is still valid. */
const recheckMs = 15_000
/** Limit of open streams per merchant. */
const enter = makePlaces(50)

export const eventHandlers = defineHandlers({
  'GET /api/v1/user/events': async ({ deps, session, reply, request }) => {
    const leave = enter(session.merchantId)
    const stream = openEventStream(reply)
    const recheck = async () => {
      const lives = await sessionLives(deps, session.tokenHash).catch(error => {
        request.log.warn({ err: error }, 'event stream: session lookup failed')
        return true
      })
      if (!lives) stream.close()
    }
    const timer = setInterval(recheck, recheckMs)
    const unlisten = deps.live.onMerchant(session.merchantId, ({ type, id }) => {
      stream.send({ type, id })
      // Ended sessions, password changes and freezes emit this type, so the stream closes without waiting for the timer.
      if (type === 'account') void recheck()
    })
    await stream.closed
    clearInterval(timer)
    unlisten()
    leave()
  },
})
