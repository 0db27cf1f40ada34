import type { Language } from '../languages.ts'
import type { TogetherCall } from './decisions.ts'

/** What operators are notified of. Stored in the database: never rename one. */
export const alertKinds = ['incident', 'withdrawal', 'refund', 'opening', 'removal', 'decision'] as const
export type AlertKind = (typeof alertKinds)[number]

/** Says that an alert tests where alerts are sent. */
export const testAlert: Record<Language, string> = {
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
    treasury_changed: 'The treasury has changed',
    treasury_ours: 'The treasury is an address of ours: nothing is swept',
    token_differs: 'A token is on hold: balances differ from its logs',
    token_unknown: 'A token is on hold: it could not be compared',
    other_token: 'A token that is not accepted has arrived',
    return_voided: 'A deposit could not be returned to its sender',
    token_upgraded: 'A token runs other code than before',
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
    treasury_changed: '资金库地址已变更',
    treasury_ours: '资金库是我方自有地址，归集已暂停',
    token_differs: '代币已暂停：余额与日志不符',
    token_unknown: '代币已暂停：无法核对余额',
    other_token: '收到不受理的代币',
    return_voided: '充值未能退回付款人',
    token_upgraded: '代币合约已升级',
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
export const decisionObject = (
  { object, incident, chain, merchant }: { object: string; incident: string; chain: string; merchant: string },
  language: Language,
): string =>
  incident
    ? [incidentNames[language][incident] ?? unknownIncident[language], chain].filter(Boolean).join(' · ')
    : merchant
      ? { en: `${merchant} (${object})`, 'zh-CN': `${merchant}（${object}）` }[language]
      : chain || object

/** A name before a Chinese word: a space follows it, but no full-width bracket. */
const before = (name: string) => (name.endsWith('）') ? name : `${name} `)

/** What two operators decide, of a wallet, queue, deposit, incident or merchant. */
export const decisionNames: Record<Language, Record<TogetherCall, (of: string) => string>> = {
  en: {
    'POST /api/operator/v1/wallets/:id/resume': (of: string) => `Resume the hot wallet of ${of}`,
    'POST /api/operator/v1/queues/:id/resume': (of: string) => `Resume ${of}`,
    'POST /api/operator/v1/deposits/:id/undo': (of: string) => `Undo deposit ${of}`,
    'POST /api/operator/v1/deposits/:id/credit': (of: string) => `Credit deposit ${of}`,
    'POST /api/operator/v1/deposits/:id/return': (of: string) => `Return deposit ${of}`,
    'PUT /api/operator/v1/merchants/:id/risk': (of: string) => `Change the risk level of ${of}`,
    'PUT /api/operator/v1/merchants/:id/terms': (of: string) => `Change the terms of ${of}`,
    'POST /api/operator/v1/merchants/:id/lift-hold': (of: string) => `Lift the hold of ${of}`,
    'POST /api/operator/v1/merchants/:id/unfreeze': (of: string) => `Unfreeze ${of}`,
    'POST /api/operator/v1/chains/:id/resume': (of: string) => `Resume reading ${of}`,
    'POST /api/operator/v1/assets/:id/release': (of: string) => `Release the token ${of}`,
    'POST /api/operator/v1/wallets/:id/abandon': (of: string) => `Abandon a payout of ${of}`,
    'POST /api/operator/v1/wallets/:id/empty': (of: string) => `Move all of the hot wallet of ${of} to the treasury`,
    'POST /api/operator/v1/incidents/:id/close': (of: string) => `Close the incident “${of}”`,
  },
  'zh-CN': {
    'POST /api/operator/v1/wallets/:id/resume': of => `恢复 ${of} 热钱包`,
    'POST /api/operator/v1/queues/:id/resume': of => `恢复${of}`,
    'POST /api/operator/v1/deposits/:id/undo': of => `撤销充值 ${of}`,
    'POST /api/operator/v1/deposits/:id/credit': of => `入账充值 ${of}`,
    'POST /api/operator/v1/deposits/:id/return': of => `退回充值 ${of}`,
    'PUT /api/operator/v1/merchants/:id/risk': of => `修改 ${before(of)}的风险等级`,
    'PUT /api/operator/v1/merchants/:id/terms': of => `修改 ${before(of)}的费率与限额`,
    'POST /api/operator/v1/merchants/:id/lift-hold': of => `解除 ${before(of)}的提现暂停`,
    'POST /api/operator/v1/merchants/:id/unfreeze': of => `解冻 ${of}`,
    'POST /api/operator/v1/chains/:id/resume': of => `恢复读取 ${of} 网络`,
    'POST /api/operator/v1/assets/:id/release': of => `恢复代币 ${of}`,
    'POST /api/operator/v1/wallets/:id/abandon': of => `放弃 ${of} 的一个 nonce`,
    'POST /api/operator/v1/wallets/:id/empty': of => `将 ${of} 热钱包的全部余额转入资金库`,
    'POST /api/operator/v1/incidents/:id/close': of => `关闭异常“${of}”`,
  },
}
