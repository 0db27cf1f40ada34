import { createHash } from 'node:crypto'
import { formatStoredReason } from '@coffer/contract/incidents/reasons.ts'
import { type Language, languageList } from '@coffer/contract/languages.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { incidentNames, unknownIncident } from '@coffer/contract/operator/names.ts'

type Texts = Record<Language, string>
export type AlertMail = { subject: string; text: string }

/** Something that operators are notified of. */
export interface OperatorAlert {
  /** Whether it is reported in quiet hours, too. */
  urgent: boolean
  /** Its page in the console. */
  link: string
  /** Whether it says that what was reported is over. */
  ended?: boolean
  texts: Record<Language, { subject: string; lines: string[] }>
}

type Fact = OperatorData<'GET /api/operator/v1/incidents/:id'>['parts'][number]['facts'][number]

/** Names of the facts that a mail has. The others are on the page. */
const factNames: Partial<Record<Fact['name'], Texts>> = {
  missing: { en: 'Missing', 'zh-CN': '短缺' },
  more: { en: 'More than in the ledger', 'zh-CN': '多于账本' },
  ledger: { en: 'In the ledger', 'zh-CN': '账本余额' },
  found: { en: 'On the network', 'zh-CN': '链上余额' },
  deposits: { en: 'Deposits in doubt', 'zh-CN': '存疑的充值' },
  amount: { en: 'Amount', 'zh-CN': '金额' },
  token: { en: 'Token', 'zh-CN': '代币' },
  wallet: { en: 'Wallet', 'zh-CN': '钱包' },
  node: { en: 'Node', 'zh-CN': '节点' },
  reason: { en: 'Reason', 'zh-CN': '原因' },
  lacks: { en: 'Amount lacking', 'zh-CN': '缺口' },
  queued: { en: 'Waiting payouts', 'zh-CN': '等待中的付款' },
  messages: { en: 'Messages', 'zh-CN': '消息数' },
  callbacks: { en: 'Waiting callbacks', 'zh-CN': '等待中的回调' },
}

export const renderInLanguages = (
  make: (language: Language) => { subject: string; lines: string[] },
): OperatorAlert['texts'] =>
  Object.fromEntries(languageList.map(language => [language, make(language)])) as OperatorAlert['texts']

/** Stands for an alert whose texts could not be made. */
export const unreadableAlert = (link: string): OperatorAlert => ({
  urgent: false,
  link,
  texts: {
    en: { subject: 'Something needs your attention', lines: ['Something needs your attention in the console.'] },
    'zh-CN': { subject: '有事项待处理', lines: ['控制台有事项待处理。'] },
  },
})

interface Incident {
  kind: string
  /** Name of its network; empty: none. */
  chain: string
  facts: readonly Fact[]
}

/** Returns the texts about an open incident, with what was found. */
export function renderIncidentTexts({ kind, chain, facts }: Incident): OperatorAlert['texts'] {
  const [first] = facts.filter(({ unit }) => unit !== '')
  return renderInLanguages(language => {
    const name = incidentNames[language][kind] ?? unknownIncident[language]
    const found = facts.flatMap(fact => {
      const label = factNames[fact.name]?.[language]
      return label
        ? [`${label}: ${fact.name === 'reason' ? formatStoredReason(fact.value, language) : shown(fact)}`]
        : []
    })
    const place = [chain, first && shown(first)].filter(Boolean).join(', ')
    const open = {
      en: 'An incident is open. The page shows what is stopped, the steps, and who is on it:',
      'zh-CN': '有一项异常待处理。受影响的业务、处理步骤和处理人见控制台：',
    }[language]
    return { subject: place ? `${name} (${place})` : name, lines: [name, ...(chain ? [chain] : []), ...found, open] }
  })
}

const ends = {
  subject: { en: (of: string) => `Closed: ${of}`, 'zh-CN': (of: string) => `已关闭：${of}` },
  who: { en: 'Closed by', 'zh-CN': '关闭人' },
  reason: { en: 'Reason', 'zh-CN': '原因' },
} satisfies Record<string, Record<Language, unknown>>

/** Names an alert for its receivers: the same at each attempt. */
export const alertId = (subject: string): string => createHash('sha256').update(subject).digest('hex').slice(0, 32)

/** Returns the alert about the end of what another reported. */
export const toEndedAlert = (of: OperatorAlert, closed: { who: string; text: string } | undefined): OperatorAlert => ({
  ...of,
  ended: true,
  texts: renderInLanguages(language => {
    const subject = ends.subject[language](of.texts[language].subject)
    const by = closed ? [`${ends.who[language]}: ${closed.who}`, `${ends.reason[language]}: ${closed.text}`] : []
    return { subject, lines: [subject, ...by] }
  }),
})

const shown = ({ value, unit }: Fact) => (unit ? `${value} ${unit}` : value)

/** Alerts that a mail describes. The others are counted. */
const describedMax = 20
const counts = {
  more: { en: (n: number) => ` and ${n} more`, 'zh-CN': (n: number) => `等 ${n + 1} 项` },
  all: { en: (n: number) => `${n} items need your attention`, 'zh-CN': (n: number) => `${n} 项待处理` },
  rest: {
    en: (n: number) => `${n} more are in the console:`,
    'zh-CN': (n: number) => `另有 ${n} 项，请查看控制台：`,
  },
}

/**
 * Makes one mail about some alerts, of which there is one at least, in both languages: accounts of operators have none.
 */
export function renderAlertMail(alerts: readonly OperatorAlert[], consoleUrl: string): AlertMail {
  const rank = ({ urgent, ended }: OperatorAlert) => (ended ? 2 : urgent ? 0 : 1)
  const [first, ...others] = alerts.toSorted((a, b) => rank(a) - rank(b)) as [OperatorAlert, ...OperatorAlert[]]
  const open = alerts.filter(each => !each.ended).length
  const described = [first, ...others].slice(0, describedMax)
  const rest = alerts.length - described.length
  const subjects = languageList.map(language => {
    if (others.length === 0) return first.texts[language].subject
    if (rank(first) === 1 && open > 1) return counts.all[language](open)
    return first.texts[language].subject + counts.more[language](others.length)
  })
  const texts = described.map(({ texts, link }) =>
    [...languageList.map(language => texts[language].lines.join('\n')), link].join('\n\n'),
  )
  if (rest > 0) texts.push([...languageList.map(language => counts.rest[language](rest)), consoleUrl].join('\n'))
  return { subject: `Coffer: ${[...new Set(subjects)].join(' / ')}`, text: `${texts.join('\n\n---\n\n')}\n` }
}
