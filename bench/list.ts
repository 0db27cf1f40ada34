import { type PaymentFilter, pagePayments } from '@coffer/server/store/payment-list.ts'
import { testStart } from '@coffer/server/testing/deps.ts'
import type { Records } from './data.ts'
import { type Figure, percentile99 } from './figure.ts'

const limitMs = 5
const rounds = 200
/** Until a statement has been prepared and planned. */
const warmUp = 20
const pageSizes = [20, 100]

/** Any page of a merchant's records with any filter, in the database alone. */
export async function list({ deps, busy, payments }: Records): Promise<Figure[]> {
  const day = 86_400
  const range = { start_time: testStart - 400 * day - 1_234, end_time: testStart - 40 * day + 777 }
  const app = { appid: busy.appids[1]! }
  const filters: [string, PaymentFilter][] = [
    ['no filter', {}],
    ['paid', { status: 2 }],
    ['one status in a thousand', { status: 8 }],
    ['an application', app],
    ['an application, paid', { ...app, status: 2 }],
    ['an odd range of 360 days', range],
    ['range, application and status', { ...range, ...app, status: 3 }],
  ]
  const figures: Figure[] = []
  let worst = 0
  for (const [name, filter] of filters) {
    const { total } = await pagePayments(deps.pool, busy.id, filter, { offset: 0, limit: 1 })
    const p99 = []
    for (const place of ['first', 'deepest', 'any'] as const) {
      const times: number[] = []
      for (let round = -warmUp; round < rounds; round++) {
        const limit = pageSizes[Math.abs(round) % pageSizes.length]!
        const pages = Math.max(1, Math.ceil(total / limit))
        const page = { first: 0, deepest: pages - 1, any: Math.floor(Math.random() * pages) }[place]
        const started = performance.now()
        await pagePayments(deps.pool, busy.id, filter, { offset: page * limit, limit })
        if (round >= 0) times.push(performance.now() - started)
      }
      p99.push(percentile99(times))
    }
    worst = Math.max(worst, ...p99)
    const [first, deepest, any] = p99.map(each => each.toFixed(2))
    figures.push({
      what: `${name}, p99`,
      value: `${any} ms`,
      beside: `first ${first}, deepest ${deepest} ms; of ${total.toLocaleString('en')} rows`,
    })
  }
  figures.push({
    what: `the slowest of these, ${payments.toLocaleString('en')} payments`,
    value: `${worst.toFixed(2)} ms`,
    beside: `at most ${limitMs} ms in the database`,
  })
  return figures
}
