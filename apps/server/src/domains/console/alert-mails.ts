import { type Language, languageList } from '@coffer/contract/languages.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'

/** What operators are notified of. Stored in the database: never rename one. */
export type AlertKind = 'incident' | 'withdrawal' | 'refund' | 'opening' | 'removal' | 'decision'

type Texts = Record<Language, string>
export type Mail = { subject: string; text: string }

const incidentKinds: Partial<Record<string, Texts>> = {
  deep_reorg: { en: 'Reorg deeper than the confirmations', 'zh-CN': '重组深度超过确认数' },
  shortage: { en: 'Money is missing', 'zh-CN': '资金短缺' },
  wallet_halted: { en: 'A wallet is halted', 'zh-CN': '钱包已停用' },
  native_missing: { en: 'Native coin left our addresses', 'zh-CN': '主币从我方地址流出' },
  surplus: { en: 'The network has more than the ledger', 'zh-CN': '链上余额多于账本' },
  reread_preview: { en: 'Preview of a second reading', 'zh-CN': '重新读取的预览结果' },
  undone_deposit_is_back: { en: 'An undone deposit is back', 'zh-CN': '已撤销的充值重新上链' },
  deposit_changed: { en: 'A credited deposit has changed', 'zh-CN': '已入账的充值发生变化' },
  deposit_denied: { en: 'A reported deposit is not in its block', 'zh-CN': '节点报告的充值不在区块中' },
  own_transfer: { en: 'A transfer between our own addresses', 'zh-CN': '我方地址之间的转账' },
  amount_too_large: { en: 'A transfer of an impossible amount', 'zh-CN': '金额异常的转账' },
  audit_log: { en: 'The audit log was tampered with', 'zh-CN': '审计日志被篡改' },
  wallet_short: { en: 'A hot wallet is too short for its payouts', 'zh-CN': '热钱包余额不足以付款' },
  payout_waits: { en: 'Payouts wait for a limit of the signer', 'zh-CN': '付款超出签名服务的限额，正在等待' },
  payout_refused: { en: 'The signer refused a payout', 'zh-CN': '签名服务拒绝了一笔付款' },
  token_differs: { en: 'A token is on hold: balances differ from its logs', 'zh-CN': '代币已暂停：余额与日志不符' },
  token_unknown: { en: 'A token is on hold: it could not be compared', 'zh-CN': '代币已暂停：无法核对余额' },
}
const unknownKind: Texts = { en: 'Something that the server cannot explain', 'zh-CN': '系统无法解释的情况' }

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
    const name = (incidentKinds[kind] ?? unknownKind)[language]
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
