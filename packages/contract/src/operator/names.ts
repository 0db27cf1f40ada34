import type { Language } from '../languages.ts'

/** What operators are notified of. Stored in the database: never rename one. */
export const alertKinds = ['incident', 'withdrawal', 'refund', 'opening', 'removal', 'decision'] as const
export type AlertKind = (typeof alertKinds)[number]

/** Says that an alert tests where alerts are sent. */
export const testAlertTexts: Record<Language, string> = {
  en: 'Test of the alerts of Coffer: nothing happened',
  'zh-CN': 'Coffer 提醒测试：没有任何异常',
}

/** Names of the kinds of incidents, for the console and for mails. */
export const incidentNames: Record<Language, Record<string, string>> = {
  en: {
    deep_reorg: 'Reorg deeper than the confirmations',
    shortage: 'Money is missing',
    wallet_halted: 'A wallet is halted',
    native_missing: 'Native coin left our addresses',
    surplus: 'The network has more than the ledger',
    reread_preview: 'Preview of a second reading',
    undone_deposit_is_back: 'An undone deposit is back',
    deposit_changed: 'A credited deposit has changed',
    deposit_denied: 'A deposit that nodes reported is not in its block',
    own_transfer: 'A transfer between our own addresses',
    amount_too_large: 'A transfer of an impossible amount',
    audit_log: 'The audit log was tampered with',
    wallet_short: 'A hot wallet lacks funds for its payouts',
    payout_waits: 'Payouts wait for a limit of the signer',
    payout_refused: 'The signer refused a payout for good',
    payout_stuck: 'A payout is in no block, or does not end',
    payouts_frozen: 'Payouts or sweeps stand still',
    payout_unmoved: 'A token logged a payout, and the receiver’s balance did not rise',
    sweep_unmoved: 'A token logged a sweep that did not arrive in full',
    payout_undone: 'A final payout is not made: a reorg took away its block',
    payout_made: 'A payout that had failed was made after a reorg',
    issuer_stops: 'The issuer of a token stops it',
    deposit_blocked: 'The issuer of a token blocks a deposit address',
    chain_delayed: 'A network is delayed',
    node_failing: 'A node keeps failing',
    node_differs: 'A node differs from most',
    node_forked: 'A node has other blocks than most',
    balances_differ: 'Nodes differ on balances: a token or coin is not compared',
    callbacks_late: 'Callbacks are late',
    messages_lost: 'Security messages reached nobody',
    treasury_changed: 'The treasury has changed',
    treasury_ours: 'The treasury is an address of ours: nothing is swept',
    token_differs: 'A token is on hold: balances differ from its logs',
    token_unknown: 'A token is on hold: it could not be compared',
    other_token: 'A token that is not accepted has arrived',
    return_voided: 'A deposit could not be returned to its sender',
    token_upgraded: 'A token runs other code than before',
    database_copied: 'The database is a copy or was restored: nothing is sent',
    backup_late: 'No backup was checked lately',
  },
  'zh-CN': {
    deep_reorg: '重组深度超过确认数',
    shortage: '资金短缺',
    wallet_halted: '钱包已停用',
    native_missing: '主币从我方地址流出',
    surplus: '链上余额多于账本',
    reread_preview: '重新读取的预览结果',
    undone_deposit_is_back: '已撤销的充值重新上链',
    deposit_changed: '已入账的充值发生变化',
    deposit_denied: '节点报告的充值不在区块中',
    own_transfer: '我方地址之间的转账',
    amount_too_large: '金额异常的转账',
    audit_log: '审计日志被篡改',
    wallet_short: '热钱包余额不足，无法付款',
    payout_waits: '付款超出签名服务的限额，正在等待',
    payout_refused: '签名服务永久拒绝了一笔付款',
    payout_stuck: '付款交易迟迟未上链或未完成',
    payouts_frozen: '付款或归集停滞',
    payout_unmoved: '代币记录了付款，但收款方余额未增加',
    sweep_unmoved: '代币记录了归集，但资金未足额到账',
    payout_undone: '已完成的付款因链重组失效',
    payout_made: '原已失败的付款在链重组后成功',
    issuer_stops: '代币被发行方停用',
    deposit_blocked: '充值地址被代币发行方限制',
    chain_delayed: '网络延迟',
    node_failing: '节点持续出错',
    node_differs: '节点与多数节点不一致',
    node_forked: '节点的区块与多数节点不同',
    balances_differ: '节点报告的余额不一致，该币种未能对账',
    callbacks_late: '回调延迟',
    messages_lost: '账号安全消息未能送达',
    treasury_changed: '资金库地址已变更',
    treasury_ours: '资金库是我方自有地址，归集已暂停',
    token_differs: '代币已暂停：余额与日志不符',
    token_unknown: '代币已暂停：无法核对余额',
    other_token: '收到不受理的代币',
    return_voided: '充值未能退回付款人',
    token_upgraded: '代币合约已升级',
    database_copied: '数据库为副本或已恢复：暂停一切发送',
    backup_late: '近期没有通过校验的备份',
  },
}
/** Of a kind without a name. */
export const unknownIncident: Record<Language, string> = {
  en: 'Something that the server cannot explain',
  'zh-CN': '系统无法解释的情况',
}

/**
 * What a decision is about, in words: the kind of an incident, with the network `chain` where it has one; the network
 * of a wallet; the merchant, with its number; else the number. `incident`, `chain` and `merchant` are empty for what
 * has none.
 */
export const formatDecisionObject = (
  { object, incident, chain, merchant }: { object: string; incident: string; chain: string; merchant: string },
  language: Language,
): string =>
  incident
    ? [incidentNames[language][incident] ?? unknownIncident[language], chain].filter(Boolean).join(' · ')
    : merchant
      ? { en: `${merchant} (${object})`, 'zh-CN': `${merchant}（${object}）` }[language]
      : chain || object

/**
 * Fills in what a decision is about. A space separates a name from a Chinese word, but not after a full-width bracket.
 */
export function formatDecisionQuestion(question: string, of: string): string {
  const [before = '', after = ''] = question.split('{of}')
  return `${before}${of}${of.endsWith('）') ? after.trimStart() : after}`
}
