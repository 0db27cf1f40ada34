import { defineHandlers } from '../../http/context.ts'
import { openEventStream } from '../../http/sse.ts'
import { makePlaces } from '../../http/stream-places.ts'
import { sessionLives } from './session-lives.ts'

/** How often (ms) an open stream looks whether its session still lives. */
const recheckMs = 15_000
/** Open streams of one merchant. */
const enter = makePlaces(50)

export const eventHandlers = defineHandlers({
  'GET /api/v1/user/events': async ({ deps, session, reply, request }) => {
    const leave = enter(session.merchantId)
    const stream = openEventStream(reply)
    const recheck = async () => {
      const lives = await sessionLives(deps, session.tokenHash).catch(error => {
        request.log.warn({ err: error }, 'a stream could not look up its session')
        return true
      })
      if (!lives) stream.close()
    }
    const timer = setInterval(recheck, recheckMs)
    const unlisten = deps.live.onMerchant(session.merchantId, ({ type, id }) => {
      stream.send({ type, id })
      // Ended sessions, a new password and a freeze are told as this: nobody listens on for another 15 s.
      if (type === 'account') void recheck()
    })
    await stream.closed
    clearInterval(timer)
    unlisten()
    leave()
  },
})
