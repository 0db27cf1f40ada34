import { type OperatorRole, operatorRoleNames, operatorRoleTexts } from '../packages/contract/src/kit/operator-roles.ts'
import type { SecondOperatorRule } from '../packages/contract/src/kit/operator-route.ts'
import { languageList } from '../packages/contract/src/languages.ts'
import { operatorChangeCalls, operatorRoles } from '../packages/contract/src/operator/calls.ts'
import { twoOperatorCalls } from '../packages/contract/src/operator/decisions.ts'
import { operatorRoutes } from '../packages/contract/src/operator/index.ts'

const seconds: Record<SecondOperatorRule, string> = {
  value: 'above `COFFER_TWO_PEOPLE_ABOVE`',
  amount: 'above `COFFER_WITHDRAW_TWO_ABOVE`',
  owners: 'where two owners can sign in',
  always: 'always, 24 hours before it happens',
}

interface Change {
  summary: string
  fresh?: true
  second?: SecondOperatorRule
}

/** Which roles read what the console shows: those that read the log read the rest. */
function whoReads(): string {
  const isReader = (role: OperatorRole) => operatorRoles['GET /api/operator/v1/log'].includes(role)
  const others = operatorRoleNames.filter(role => !isReader(role))
  return others.length === 0 ? 'Every role reads everything.' : `${others.join(', ')} read only some pages.`
}

/** Draws who may make which call of the console, with a fresh code and a second person. */
export async function generateRoles(): Promise<{ path: string; content: string }[]> {
  const rows = operatorChangeCalls.map(key => {
    const { summary, fresh, second }: Change = operatorRoutes[key]
    const call = key.replace('/api/operator/v1', '')
    const may = operatorRoleNames.map(role => (operatorRoles[key].includes(role) ? 'yes' : ''))
    return [`\`${call}\``, summary, ...may, fresh ? 'yes' : '', second ? seconds[second] : '']
  })
  const head = ['call', 'what it does', ...operatorRoleNames, 'fresh code', 'second person']
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map(cells => cells[column]!.length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  const content = [
    '# Who may do what in the console',
    '',
    `Drawn by \`tools/generated.ts\` from \`packages/contract/src/\`. ${whoReads()} [console.md](console.md) explains roles,`,
    'fresh codes and second persons; commands are the same calls, made by the user of the machine, who has every role.',
    '',
    line(head),
    line(widths.map(width => '-'.repeat(width))),
    ...rows.map(cells => line(cells)),
    '',
  ].join('\n')
  return [{ path: 'docs/console-roles.md', content }]
}

/** The roles for the console in a browser, which does not load the schemas beside which they are declared. */
export async function generateWebRoles(): Promise<{ path: string; content: string }[]> {
  const rows = Object.entries(operatorRoles).map(
    ([key, who]) => `  '${key}': [${who.map(role => `'${role}'`).join(', ')}],`,
  )
  const content = [
    `import type { RoleRestrictedCall } from '@coffer/contract/operator/calls.ts'`,
    `import type { OperatorRole } from '@coffer/contract/kit/operator-roles.ts'`,
    '',
    'export const operatorRoles: Record<RoleRestrictedCall, readonly OperatorRole[]> = {',
    ...rows,
    '}',
    '',
  ].join('\n')
  return [{ path: 'apps/web/src/operator/kit/generated/roles.ts', content }]
}

/** What calls are named in the log, what two operators decide, and what roles are called, for each language a file. */
export async function generateTitles(): Promise<{ path: string; content: string }[]> {
  return languageList.flatMap(language => {
    const calls = operatorChangeCalls.map(key => [
      key.replace('/api/operator/v1/', ''),
      operatorRoutes[key].title[language],
    ])
    const decisions = twoOperatorCalls.map(key => [key, operatorRoutes[key].question[language]])
    const roles = operatorRoleNames.map(role => [role, operatorRoleTexts[role].name[language]])
    const roleTexts = operatorRoleNames.map(role => [role, operatorRoleTexts[role].may[language]])
    const file = (name: string, rows: string[][]) => ({
      path: `apps/web/src/i18n/generated/${name}-${language}.ts`,
      content: `export default ${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`,
    })
    return [
      file('calls', calls),
      file('decisions', decisions),
      file('role-names', roles),
      file('role-texts', roleTexts),
    ]
  })
}
