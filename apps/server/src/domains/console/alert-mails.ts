import { type Language, languageList } from '@coffer/contract/languages.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { incidentNames, unknownIncident } from '@coffer/contract/operator/names.ts'

/** What operators are notified of. Stored in the database: never rename one. */
export type AlertKind = 'incident' | 'withdrawal' | 'refund' | 'opening' | 'removal' | 'decision'

type Texts = Record<Language, string>
export type Mail = { subject: string; text: string }

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
  reason: { en: 'Reason', 'zh-CN': '原因' },
}

/** Makes one mail of both languages: accounts of operators have none. */
function bothLanguages(make: (language: Language) => { subject: string; lines: string[] }, link: string): Mail {
  const [subjects, texts] = [new Set<string>(), [] as string[]]
  for (const language of languageList) {
    const { subject, lines } = make(language)
    subjects.add(subject)
    texts.push(lines.join('\n'))
  }
  return { subject: `Coffer: ${[...subjects].join(' / ')}`, text: `${texts.join('\n\n')}\n\n${link}\n` }
}

interface Incident {
  kind: string
  /** Name of its network; empty: none. */
  chain: string
  facts: readonly Fact[]
}

/** Returns the mail about an open incident, with what was found. */
export function incidentMail({ kind, chain, facts }: Incident, link: string): Mail {
  const [first] = facts.filter(({ unit }) => unit !== '')
  return bothLanguages(language => {
    const name = incidentNames[language][kind] ?? unknownIncident[language]
    const found = facts.flatMap(fact => {
      const label = factNames[fact.name]?.[language]
      return label ? [`${label}: ${shown(fact)}`] : []
    })
    const place = [chain, first && shown(first)].filter(Boolean).join(', ')
    const open = {
      en: 'An incident is open. The page has what stands still, the steps, and who is on it:',
      'zh-CN': '有一项事件待处理。受影响的业务、处理步骤和负责人见控制台：',
    }[language]
    return { subject: place ? `${name} (${place})` : name, lines: [name, ...(chain ? [chain] : []), ...found, open] }
  }, link)
}

const shown = ({ value, unit }: Fact) => (unit ? `${value} ${unit}` : value)
