import { sessionLives } from '../../commands/session-lives.ts'
import { defineHandlers } from '../context.ts'
import { openEventStream } from '../sse.ts'

/** How often (ms) an open stream looks whether its session still lives. */
const recheckMs = 15_000

export const eventHandlers = defineHandlers({
  'GET /api/v1/user/events': async ({ deps, session, reply, request }) => {
    const stream = openEventStream(reply)
    const unlisten = deps.live.onMerchant(session.merchantId, ({ type, id }) => stream.send({ type, id }))
    const recheck = setInterval(async () => {
      const lives = await sessionLives(deps, session.tokenHash).catch(error => {
        request.log.warn({ err: error }, 'a stream could not look up its session')
        return true
      })
      if (!lives) stream.close()
    }, recheckMs)
    await stream.closed
    clearInterval(recheck)
    unlisten()
  },
})
