import { setTimeout as sleep } from 'node:timers/promises'
import { type Sandbox, sandboxAt } from './trigger.ts'

interface Report {
  name: string
  title: string
  state: 'running' | 'handled' | 'failed' | 'broken'
  sent: { event: string; status: number; duration_ms: number; forged: boolean }[]
  paid: (boolean | null)[]
  why: string
}

interface Testing {
  endpoint: string
  statusUrl: string | undefined
  /** Names of scenarios, separated by commas; all by default. */
  only: string | undefined
  signal: AbortSignal
  print: (line: string) => void
  fetch?: typeof fetch | undefined
  pauseMs?: number | undefined
}

/**
 * Has orders of a sandbox live through what happens, with their callbacks going to an endpoint, and prints a table of how it handled
 * them. Throws Error when it did not handle one.
 */
export async function testEndpoint(
  { baseUrl, key }: { baseUrl: string; key: string },
  { endpoint, statusUrl, only, signal, print, fetch: send, pauseMs = 2000 }: Testing,
): Promise<void> {
  const sandbox = await sandboxAt(baseUrl, send, { authorization: `Bearer ${key}`, 'x-language': 'en-US' })
  const { id } = (await sandbox('scenarios', {
    endpoint,
    ...(statusUrl !== undefined && { status_url: statusUrl }),
    ...(only !== undefined && { scenarios: only.split(',') }),
  })) as { id: string }
  print(`${endpoint} is tested, which takes about a minute`)
  const rows = await untilDone(sandbox, id, { signal, pauseMs })
  for (const line of tableOf(rows)) print(line)
  const failed = rows.filter(({ state }) => state !== 'handled').length
  if (failed > 0) throw new Error(`${failed} of ${rows.length} scenarios are not handled`)
  print(`all ${rows.length} scenarios are handled${statusUrl === undefined ? ', as far as responses show it' : ''}`)
}

async function untilDone(sandbox: Sandbox, id: string, { signal, pauseMs }: { signal: AbortSignal; pauseMs: number }) {
  for (;;) {
    const { list } = (await sandbox(`scenarios/${id}`)) as { list: Report[] }
    if (list.every(({ state }) => state !== 'running')) return list
    await sleep(pauseMs, undefined, { signal })
  }
}

/** The columns of the report: scenario, what was sent with its responses, what the status URL said, verdict and why. */
function tableOf(rows: Report[]): string[] {
  const said = (paid: boolean | null) => (paid === null ? '?' : paid ? 'paid' : 'not paid')
  const cells = rows.map(({ title, sent, paid, state, why }) => [
    title,
    sent.map(({ event, status, forged }) => `${event}${forged ? ' (forged)' : ''} ${status || '-'}`).join(', '),
    paid.map(said).join(', '),
    state,
    why,
  ])
  const table = [['Scenario', 'Sent and answered', 'Status URL', 'Verdict', 'Why'], ...cells]
  const widths = table[0]?.map((_, column) => Math.max(...table.map(row => row[column]?.length ?? 0))) ?? []
  return table.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
