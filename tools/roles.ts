import type { RouteDefinition } from '../packages/contract/src/kit/route.ts'
import { togetherCalls } from '../packages/contract/src/operator/decisions.ts'
import { operatorRoutes } from '../packages/contract/src/operator/index.ts'
import { freshCalls, operatorRoleNames, operatorRoles, type RoleKey } from '../packages/contract/src/operator/roles.ts'

/** Calls that take a second person by rules of their own, beside those that do above `COFFER_TWO_PEOPLE_ABOVE`. */
const seconds: Partial<Record<RoleKey, string>> = {
  'POST /api/operator/v1/withdrawals/:id/approve': 'above `COFFER_WITHDRAW_TWO_ABOVE`',
  'POST /api/operator/v1/withdrawals/:id/approve-by-passkey': 'above `COFFER_WITHDRAW_TWO_ABOVE`',
  'POST /api/operator/v1/refunds/:id/approve': 'above `COFFER_WITHDRAW_TWO_ABOVE`',
  'POST /api/operator/v1/merchants/:id/remove-authenticator': 'always, 24 hours before it happens',
  'POST /api/operator/v1/operators': 'where two owners can sign in',
  'PUT /api/operator/v1/operators/:id': 'where two owners can sign in',
  'POST /api/operator/v1/operators/:id/link': 'where two owners can sign in',
  'DELETE /api/operator/v1/operators/:id': 'where two owners can sign in',
}

const secondOf = (key: RoleKey) =>
  seconds[key] ?? ((togetherCalls as readonly string[]).includes(key) ? 'above `COFFER_TWO_PEOPLE_ABOVE`' : '')

/** Draws who may make which call of the console, with a fresh code and a second person. */
export async function generateRoles(): Promise<{ path: string; content: string }[]> {
  const routes = operatorRoutes as Record<string, RouteDefinition>
  const changes = (Object.keys(operatorRoles) as RoleKey[]).filter(key => !key.startsWith('GET '))
  const rows = changes.map(key => {
    const call = key.replace('/api/operator/v1', '')
    const may = operatorRoleNames.map(role => (operatorRoles[key].includes(role) ? 'yes' : ''))
    return [`\`${call}\``, String(routes[key]!.summary), ...may, freshCalls.includes(key) ? 'yes' : '', secondOf(key)]
  })
  const head = ['call', 'what it does', ...operatorRoleNames, 'fresh code', 'second person']
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map(cells => cells[column]!.length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  const content = [
    '# Who may do what in the console',
    '',
    'Drawn by `tools/generated.ts` from `packages/contract/src/`. Every role reads everything. [console.md](console.md) explains roles,',
    'fresh codes and second persons; commands are the same calls, made by the user of the machine, who has every role.',
    '',
    line(head),
    line(widths.map(width => '-'.repeat(width))),
    ...rows.map(cells => line(cells)),
    '',
  ].join('\n')
  return [{ path: 'docs/console-roles.md', content }]
}
