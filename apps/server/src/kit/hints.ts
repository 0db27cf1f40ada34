import type pg from 'pg'
import type { HintMessage, LiveHint } from './live.ts'

// Not declared with `run`: kit/db.ts imports this file.
const notify = { name: 'hints-send', text: `select pg_notify('coffer', message) from unnest($1::text[]) as message` }

/** Maximum number of ids in one NOTIFY: PostgreSQL limits the payload to 8,000 bytes. */
const idsTogether = 100
/** Time between two statements with hints (ms). */
const pauseMs = 20

interface Outbox {
  waiting: LiveHint[]
  /** Whether hints are being sent, or were less than `pauseMs` ago. */
  busy: boolean
}
const outboxes = new WeakMap<pg.Pool, Outbox>()

/**
 * Sends hints of committed changes to every server process, those of `pauseMs` together and on one connection at a
 * time: commits of transactions with a NOTIFY wait for each other in the whole database. Returns at once. Hints are
 * lost when the process or the database fails.
 */
export function sendHints(pool: pg.Pool, hints: readonly LiveHint[]): void {
  if (hints.length === 0) return
  const outbox = outboxes.get(pool) ?? { waiting: [], busy: false }
  outboxes.set(pool, outbox)
  outbox.waiting.push(...hints)
  if (!outbox.busy) void send(pool, outbox)
}

async function send(pool: pg.Pool, outbox: Outbox): Promise<void> {
  outbox.busy = true
  const hints = outbox.waiting.splice(0)
  await pool.query({ ...notify, values: [messagesOf(hints)] }).catch(() => {})
  setTimeout(() => {
    outbox.busy = false
    if (outbox.waiting.length > 0) void send(pool, outbox)
  }, pauseMs).unref()
}

/** Puts hints of one type about one merchant and person together. */
function messagesOf(hints: readonly LiveHint[]): string[] {
  const groups = Map.groupBy(hints, ({ merchant_id, type, person }) => `${type} ${merchant_id} ${person ?? ''}`)
  return [...groups.values()].flatMap(some => {
    const { id: _, ...common } = some[0]!
    const ids = [...new Set(some.map(each => each.id))]
    return Array.from({ length: Math.ceil(ids.length / idsTogether) }, (_, part) => {
      const message: HintMessage = { ...common, ids: ids.slice(part * idsTogether, (part + 1) * idsTogether) }
      return JSON.stringify(message)
    })
  })
}
