import { limits } from '@coffer/contract'
import { formatStoredReason } from '@coffer/contract/incidents/reasons.ts'
import { runbookPageOfIncident } from '@coffer/contract/incidents/steps.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { Refusal } from '../kit/refusal.ts'
import { type Command, formatFields, formatTable, underscoresToSpaces } from './command.ts'
import { declaredCommands } from './declared.ts'

type Incident = OperatorData<'GET /api/operator/v1/incidents/:id'>

const rowTexts = {
  kind: (row: { kind: string; with: string[] }) => [row.kind, ...new Set(row.with)].map(underscoresToSpaces).join(', '),
  on_it: (row: { who: string }) => row.who || 'nobody',
  network: (row: { chain: string; chain_name: string }) => row.chain_name || row.chain || '-',
}

/** What a part of an incident found, each amount with its unit, one a line. */
export const formatIncidentFacts = ({ facts }: Incident['parts'][number]): string[] =>
  facts.map(({ name, value, unit }) => `  ${name}: ${formatStoredReason(value, 'en')}${unit && ` ${unit}`}`)

const factsText = ({ parts }: Incident) =>
  parts
    .map(part => [`Found: ${underscoresToSpaces(part.kind)} (${part.id})`, ...formatIncidentFacts(part)].join('\n'))
    .join('\n')

const stopsText = ({ stops }: Incident) =>
  stops.length === 0
    ? 'Nothing stands still by it.'
    : ['Stands still:', ...stops.map(({ what, of }) => `  ${what}${of && ` of ${of}`}`)].join('\n')

/** The command that reads again what may have been left out. */
const rereadText = ({ chain, reread }: Incident) =>
  reread ? [`Read again: chain reread ${chain} ${reread.block}${reread.apply ? ' apply' : ''}`] : []

const stepsText = ({ kind, steps }: Incident) =>
  [
    `Steps, explained in docs/runbook/${runbookPageOfIncident(kind)}.md:`,
    ...steps.map(({ step, who }) => `  [${who ? 'x' : ' '}] ${underscoresToSpaces(step)}${who && `, ${who}`}`),
  ].join('\n')

export const incidentCommands: Command[] = [
  {
    usage: 'incident list [open|closed] [text]',
    help: 'list incidents, one per cause, newest first; text: part of the id, kind, network, findings or notes',
    async run(call, [given = 'open', ...text]) {
      const state = (['open', 'closed'] as const).find(each => each === given)
      if (!state) throw new Refusal('parameter_error', { field: given })
      const query = {
        current: '1',
        pageSize: String(limits.pageSizeMax),
        state,
        ...(text.length > 0 && { text: text.join(' ') }),
      } as const
      const data = await call('GET incidents', { query })
      const columns = ['id', 'kind', 'network', 'created_time', 'on_it', 'notes'] as const
      const more = data.total - data.list.length
      const table = formatTable(
        data.list,
        `No incident is ${state}.`,
        state === 'open' ? columns : [...columns, 'closed_time'],
        rowTexts,
      )
      return { text: more > 0 ? `${table}\n${more} older ones are not shown.` : table, data }
    },
  },
  {
    usage: 'incident show <incident>',
    help: 'show an incident: what was found, what it stops, its steps, notes and history',
    failureText: 'There is no incident with this id.',
    async run(call, [id = '']) {
      const data = await call('GET incidents/:id', { params: { id } })
      const names = ['id', 'kind', 'network', 'created_time', 'closed_time', 'on_it'] as const
      const history = formatTable(data.history, 'No notes.', ['created_time', 'who', 'what', 'text'], {
        text: ({ what, text }) => (what === 'changed' ? formatStoredReason(text, 'en') : text),
      })
      const text = [
        formatFields(data, names, rowTexts),
        factsText(data),
        stopsText(data),
        stepsText(data),
        ...rereadText(data),
        history,
      ]
      return { text: text.join('\n\n'), data }
    },
  },
  ...declaredCommands('incident'),
]
