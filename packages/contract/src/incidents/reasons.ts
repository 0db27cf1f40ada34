import { payoutReasons as en } from '../labels/payouts-en.ts'
import { payoutReasons as zh } from '../labels/payouts-zh-CN.ts'
import type { Language } from '../languages.ts'

const separator = ' | '

/**
 * Why a wallet or a chain was halted, withdrawals stopped or a node is named, by code; the parameters are amounts with
 * units, numbers, times and addresses. Stored in the database: never rename one.
 */
const halts = {
  nonce_ahead: {
    en: (chain: string, ours: string) => `The chain’s nonce is ${chain}, ours ${ours}: the key is used elsewhere`,
    'zh-CN': (chain: string, ours: string) => `链上 nonce 为 ${chain}，我方为 ${ours}：密钥在别处被使用`,
  },
  coin_left: {
    en: (missing: string, block: string, time: string, left: string, fees = '') =>
      `${missing} left it since block ${block} of ${time} without a transaction of ours, ${left} is there: the key is used elsewhere${
        fees && `, or the network charges a fee that receipts do not show (ours explain ${fees} at most)`
      }`,
    'zh-CN': (missing: string, block: string, time: string, left: string, fees = '') =>
      `自区块 ${block}（${time}）以来有 ${missing} 流出，并非我方交易，余 ${left}：密钥在别处被使用${
        fees && `，或网络收取了回执中未列出的手续费（我方交易最多可解释 ${fees}）`
      }`,
  },
  receipt_uncertain: {
    en: () => 'Its block is final, and nodes do not agree on its receipt',
    'zh-CN': () => '所在区块已最终确认，但各节点的交易回执不一致',
  },
  fee_above: {
    en: (fee: string, signed: string, beyond: string, most: string) =>
      `Nodes report a fee of ${fee} for gas, where ${signed} was signed at most, and ${beyond} beyond, where the network may charge ${most}`,
    'zh-CN': (fee: string, signed: string, beyond: string, most: string) =>
      `节点报告的 gas 手续费为 ${fee}，而签名上限为 ${signed}；另有附加费 ${beyond}，该网络允许的上限为 ${most}`,
  },
  other_wallet: {
    en: (address: string) => `The signer has another wallet: ${address}`,
    'zh-CN': (address: string) => `签名服务使用的是另一个钱包：${address}`,
  },
  nonce_signed: {
    en: () => 'The signer has signed this nonce for another payout: the database may be an older one',
    'zh-CN': () => '签名服务已用该 nonce 签过另一笔付款：数据库可能是较早的备份',
  },
  deep_reorg: {
    en: (block: string) => `Deep reorg: block ${block} is the last one that stayed`,
    'zh-CN': (block: string) => `深度重组：仅保留到区块 ${block}`,
  },
  deep_reorg_whole: {
    en: () => 'Deep reorg: none of our blocks stayed',
    'zh-CN': () => '深度重组：我方读取的区块均未保留',
  },
  chain_unreachable: {
    en: (time: string) => `The nodes have been unreachable, behind or in disagreement since ${time}`,
    'zh-CN': (time: string) => `自 ${time} 起节点不可用、落后或结果不一致`,
  },
  chain_behind: {
    en: (time: string) => `Blocks after ${time} are not read yet`,
    'zh-CN': (time: string) => `${time} 之后的区块尚未读取`,
  },
  chain_stalled: {
    en: (time: string) => `The nodes have had no new block since ${time}`,
    'zh-CN': (time: string) => `自 ${time} 起节点没有新区块`,
  },
  other_block: {
    en: (block: string) => `It has another block ${block} than most nodes`,
    'zh-CN': (block: string) => `其区块 ${block} 与多数节点不同`,
  },
  far_base_fee: {
    en: (told: string, offered: string) => `It reports a base fee of ${told} gwei, and ${offered} gwei is offered`,
    'zh-CN': (told: string, offered: string) => `该节点报告的基础费为 ${told} gwei，而采用值为 ${offered} gwei`,
  },
  far_tip: {
    en: (told: string, offered: string) => `It reports a tip of ${told} gwei, and ${offered} gwei is offered`,
    'zh-CN': (told: string, offered: string) => `该节点报告的优先费为 ${told} gwei，而采用值为 ${offered} gwei`,
  },
  no_receipts: {
    en: (method: string, block: string) =>
      `It has no receipts of block ${block}, and the block has transactions (${method})`,
    'zh-CN': (method: string, block: string) => `区块 ${block} 中有交易，但该节点未返回任何回执（${method}）`,
  },
  denied_logs: {
    en: (method: string, block: string) => `Its logs of block ${block} are not those of the block’s header (${method})`,
    'zh-CN': (method: string, block: string) => `该节点返回的区块 ${block} 日志与区块头不符（${method}）`,
  },
  claims: {
    en: (txid: string) =>
      `It says that our transaction ${txid} is in a block, and final blocks of most nodes do not have it`,
    'zh-CN': (txid: string) => `该节点声称我方交易 ${txid} 已进入区块，但多数节点的最终区块中没有该交易`,
  },
  claims_in_block: {
    en: (txid: string, block: string) =>
      `It says that block ${block} has our transaction ${txid}, and final blocks of most nodes do not have it`,
    'zh-CN': (txid: string, block: string) =>
      `该节点声称区块 ${block} 中有我方交易 ${txid}，但多数节点的最终区块中没有该交易`,
  },
  expired_claimed: {
    en: (nodes: string) =>
      `It expired, and a node says that it is in a block, against most others: ${nodes}. It is sent again an hour after it expired`,
    'zh-CN': (nodes: string) =>
      `交易已过期，但有节点声称其已进入区块，与多数节点不一致：${nodes}。过期一小时后将自动重发`,
  },
  expired_undecided: {
    en: (nodes: string) =>
      `It expired, a node says that it is in a block, and too few others say that it is not to be believed: ${nodes}. It waits until you decide: if an explorer has it in no block, replace the node in the chains file, or name a third`,
    'zh-CN': (nodes: string) =>
      `交易已过期，但有节点声称其已进入区块，而否认的节点数不足以采信：${nodes}。须由您处理：若区块浏览器显示该交易未上链，请在网络配置文件中更换该节点，或增加第三个节点`,
  },
  last_error: {
    en: (...said: string[]) => withSaid(said.join(separator), 'en'),
    'zh-CN': (...said: string[]) => withSaid(said.join(separator), 'zh-CN'),
  },
  each_node: {
    en: (...told: string[]) => told.map(each => nodeSays(each, 'en')).join('; '),
    'zh-CN': (...told: string[]) => told.map(each => nodeSays(each, 'zh-CN')).join('；'),
  },
  unverified: {
    en: (why: string) =>
      `What blocks hold is no longer verified, but believed if most nodes agree: upgrade Coffer (${why})`,
    'zh-CN': (why: string) => `区块内容已无法验证，仅在多数节点一致时采信：请升级 Coffer（${why}）`,
  },
  unknown_fork: {
    en: (time: string) => `The network forks on ${time}, which this version was not written for: upgrade Coffer before`,
    'zh-CN': (time: string) => `该网络将于 ${time} 分叉，当前版本不支持：请提前升级 Coffer`,
  },
  less_than_ledger: {
    en: (network: string, ledger: string, chain: string) =>
      `${network}: the ledger has ${ledger}, the network ${chain}`,
    'zh-CN': (network: string, ledger: string, chain: string) => `账本应有 ${ledger}，链上仅有 ${chain}（${network}）`,
  },
  less_than_received: {
    en: (chain: string, address: string) => `${chain}: ${address} holds less than came in`,
    'zh-CN': (chain: string, address: string) => `地址余额少于转入金额：${address}（${chain}）`,
  },
  no_backup: {
    en: (since: string) => `No backup since ${since} was restored for a check`,
    'zh-CN': (since: string) => `自 ${since} 以来没有通过恢复校验的备份`,
  },
  copy_elsewhere: {
    en: () => 'This database is a copy of another one: nothing is sent until “coffer restore release”',
    'zh-CN': () => '当前数据库是另一个数据库的副本：执行“coffer restore release”前不会发出任何付款、回调或消息',
  },
  copy_older: {
    en: () =>
      'The database is older than this server has seen it: it was restored, and nothing is sent until “coffer restore release”',
    'zh-CN': () =>
      '数据库比本服务器此前所见的更旧，应为恢复后的备份：执行“coffer restore release”前不会发出任何付款、回调或消息',
  },
  copy_recovered: {
    en: (target: string) =>
      `The database was recovered to an earlier time (${target}): nothing is sent until “coffer restore release”`,
    'zh-CN': (target: string) =>
      `数据库已恢复到较早的时间点（${target}）：执行“coffer restore release”前不会发出任何付款、回调或消息`,
  },
} satisfies Record<string, Record<Language, (...parameters: string[]) => string>>
type Halt = keyof typeof halts
/** A code and its parameters. */
type Coded = { [C in Halt]: readonly [code: C, ...parameters: Parameters<(typeof halts)[C]['en']>] }[Halt]

/** Reasons of payouts that only operators read in words; the others are those of merchants. */
const payouts: Record<Language, Record<string, string>> = {
  en: {
    ...en,
    'the address is on a sanctions list': 'The address is on a sanctions list.',
    'signer: bad_request':
      'The signer does not understand the request: server and signer may be of different versions.',
    'signer: not_allowed': 'The signer’s policy does not allow it.',
    'signer: no_key': 'The signer has no key for the wallet.',
  },
  'zh-CN': {
    ...zh,
    'the address is on a sanctions list': '该地址在制裁名单上。',
    'signer: bad_request': '签名服务无法识别请求：服务器与签名服务的版本可能不一致。',
    'signer: not_allowed': '签名服务的策略不允许该操作。',
    'signer: no_key': '签名服务没有该钱包的密钥。',
  },
}

/** Returns a reason as it is stored: its code and parameters. */
export const encodeHaltReason = (...coded: Coded): string => coded.join(separator)

/** Shows a time or an amount as people read it; what is neither stays. */
const shown = (parameter: string) =>
  parameter
    .replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d\.\d{3}Z$/, '$1 $2 UTC')
    .replace(/^\d+(?=(?:\.\d+)? [A-Z])/i, whole => BigInt(whole).toLocaleString('en'))

/** What fails at a node, by what its last failure said. */
const nodeFailures: [RegExp, Record<Language, string>][] = [
  [/timeout|timed ?out|^no answer (in time|within)|^given up/i, { en: 'No answer in time', 'zh-CN': '响应超时' }],
  [/^slow/, { en: 'Answers slowly', 'zh-CN': '响应缓慢' }],
  [/too many requests|limits the rate|rate limit/i, { en: 'Limits the rate of requests', 'zh-CN': '请求被限流' }],
  [/^ECONNREFUSED/, { en: 'Refuses the connection', 'zh-CN': '拒绝连接' }],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET|terminated)/, { en: 'Broke the connection', 'zh-CN': '连接中断' }],
  [/^(ENOTFOUND|EAI_AGAIN)/, { en: 'Its name is not found', 'zh-CN': '域名无法解析' }],
  [/^E(HOST|NET)UNREACH|^fetch failed/, { en: 'Cannot be reached', 'zh-CN': '无法连通' }],
  [/CERT|SIGNATURE|^ERR_(TLS|SSL)/, { en: 'Its certificate is not valid', 'zh-CN': '证书无效' }],
  [/^HTTP \d+/, { en: 'Answers with an error', 'zh-CN': '返回错误' }],
  [
    /^(HPE|Z)_|\bresponse (is|has|exceeds) |\bin response$|not hash to/,
    { en: 'Answers with what is invalid', 'zh-CN': '响应内容无效' },
  ],
  [/^JSON-RPC and HTTP API /, { en: 'Its interfaces contradict each other', 'zh-CN': '其两个接口的结果相互矛盾' }],
  [/do not agree/, { en: 'Nodes do not agree', 'zh-CN': '各节点结果不一致' }],
  [/^no node /, { en: 'No node answers this', 'zh-CN': '没有节点能应答' }],
  [/^chain id is |^the first block is another/, { en: 'Is on another network', 'zh-CN': '不是该网络的节点' }],
]

/** Puts what fails at a node into words; what is not known stays. */
export const nodeFailureText = (said: string, language: Language): string =>
  codedText(said, language) ?? nodeFailures.find(([pattern]) => pattern.test(said))?.[1][language] ?? said

/** What failed in words, with what was said where these are others. */
function withSaid(said: string, language: Language): string {
  const words = [formatStoredReason(said, language), nodeFailureText(said, language)].find(each => each !== said)
  if (words === undefined) return { en: said, 'zh-CN': `错误信息：${said}` }[language]
  if (codedText(said, language) !== null || Object.hasOwn(payouts[language], said)) return words
  return { en: `${words} (${said})`, 'zh-CN': `${words}（${said}）` }[language]
}

/** What one node says, after its name: an amount, or why it gives none. */
function nodeSays(told: string, language: Language): string {
  const [, node, said] = /^(\S+(?: #\d+)?): (.*)$/s.exec(told) ?? []
  if (node === undefined || said === undefined) return told
  return { en: `${node}: ${nodeFailureText(said, 'en')}`, 'zh-CN': `${node}：${nodeFailureText(said, 'zh-CN')}` }[
    language
  ]
}

/** Puts a reason that has a code into words; null for others. */
function codedText(stored: string, language: Language): string | null {
  const [code = '', ...parameters] = stored.split(separator).map(shown)
  if (!Object.hasOwn(halts, code)) return null
  const write: (...parameters: string[]) => string = halts[code as Halt][language]
  return write(...parameters)
}

/** Puts a stored reason into words. One without a code is what an operator wrote. */
export function formatStoredReason(stored: string, language: Language): string {
  const coded = codedText(stored, language)
  if (coded !== null) return coded
  const words = payouts[language]
  return Object.hasOwn(words, stored) ? words[stored]! : stored
}
