import { merchantRoleNames, merchantRoleTexts } from '../packages/contract/src/kit/merchant-roles.ts'
import { type OperatorRole, operatorRoleNames, operatorRoleTexts } from '../packages/contract/src/kit/operator-roles.ts'
import type { SecondOperatorRule } from '../packages/contract/src/kit/operator-route.ts'
import { languageList } from '../packages/contract/src/languages.ts'
import { memberCalls } from '../packages/contract/src/member-calls.ts'
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
  const content = [
    '# Who may do what in the console',
    '',
    `Drawn by \`tools/generated.ts\` from \`packages/contract/src/\`. ${whoReads()} [console.md](console.md) explains roles,`,
    'fresh codes and second persons; commands are the same calls, made by the user of the machine, who has every role.',
    '',
    ...drawTable(['call', 'what it does', ...operatorRoleNames, 'fresh code', 'second person'], rows),
    '',
  ].join('\n')
  return [{ path: 'docs/console-roles.md', content }]
}

/** Draws who may make which signed-in call of merchants. */
export async function generateMerchantRoles(): Promise<{ path: string; content: string }[]> {
  const own = memberCalls.filter(({ who }) => who === 'oneself')
  const rows = memberCalls.flatMap(({ key, who, summary }) => {
    if (who === 'oneself') return []
    const may = merchantRoleNames.map(role => (who.includes(role) ? 'yes' : ''))
    return [[`\`${key.replace('/api/v1', '')}\``, summary.split(/[.:;](?: |$)/)[0]!, ...may]]
  })
  const content = [
    '# Who may do what in a shop',
    '',
    'Drawn by `tools/generated.ts` from `packages/contract/src/`: each call says `who` may make it. Another role is refused',
    'before the body is read, and its menu, pages and buttons show nothing that the call is for. Who works alone is the',
    'owner, who may do everything, and is shown nothing of roles.',
    '',
    ...merchantRoleNames.map(role => `- **${merchantRoleTexts[role].name.en}**: ${merchantRoleTexts[role].may.en}`),
    '',
    'Where a call is about more than its name says, its verb decides: keys that move money are the owner’s',
    '(`apps/server/src/domains/applications/money-keys.ts`).',
    '',
    ...drawTable(['call', 'what it does', ...merchantRoleNames], rows),
    '',
    '## Everybody, about oneself',
    '',
    ...own.map(({ key, summary }) => `- \`${key.replace('/api/v1', '')}\`: ${summary.split(/[.:;](?: |$)/)[0]}`),
    '',
  ].join('\n')
  return [{ path: 'docs/merchant-roles.md', content }]
}

/** The lines of a table whose columns are as wide as their longest cell. */
function drawTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map(cells => cells[column]!.length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  return [line(head), line(widths.map(width => '-'.repeat(width))), ...rows.map(cells => line(cells))]
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
