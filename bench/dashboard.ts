import { paymentStatus } from '@coffer/contract'
import type { Records } from './data.ts'
import { type Figure, median, scope } from './figure.ts'
import { type BenchServer, startServer } from './server.ts'

const limit = 1.2
const rounds = 300
const warmUp = 50
const day = 86_400

/** Calls with which the dashboard loads its figures. */
const calls = (now: number) => [
  'statistics/assets',
  'statistics/overview',
  `statistics/daily-collection?start_time=${now - 30 * day}&end_time=${now}`,
  'user/application-list',
  `transactions/list?current=1&pageSize=4&status=${paymentStatus.paid}`,
]

/** Time to load the dashboard's figures over HTTP, with many payments and with few, alternating. */
export async function dashboard(many: Records, few: Records): Promise<Figure[]> {
  const here = scope()
  try {
    const servers = [await startServer(here, many), await startServer(here, few)] as const
    const times: [number[], number[]] = [[], []]
    for (let round = -warmUp; round < rounds; round++)
      for (const which of [0, 1] as const) {
        const took = await open(servers[which], many.deps.clock())
        if (round >= 0) times[which].push(took)
      }
    const [mine, base] = [median(times[0]), median(times[1])]
    return [
      {
        what: `dashboard figures, ${many.payments.toLocaleString('en')} payments`,
        value: `${mine.toFixed(2)} ms`,
        comparison: `${(mine / base).toFixed(2)} of ${few.payments.toLocaleString('en')} payments (${base.toFixed(2)} ms); at most ${limit}`,
        holds: mine / base <= limit,
      },
    ]
  } finally {
    await here.end()
  }
}

async function open({ url, headers }: BenchServer, now: number): Promise<number> {
  const started = performance.now()
  for (const call of calls(now)) {
    const answer = await fetch(`${url}/api/v1/${call}`, { headers })
    if (!answer.ok) throw new Error(`${call}: ${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
  }
  return performance.now() - started
}
