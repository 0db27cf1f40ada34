import { decisionNames } from '@coffer/contract/operator/names.ts'
import type en from '../en/operator-decisions.ts'

const decisions: typeof en = {
  decisions: decisionNames['zh-CN'],
  waitsForSecond: '待双人复核',
  waitsForSecondText: '以下操作尚未生效。申请 24 小时后失效。',
  askedBy: '申请人',
  until: '有效期至',
  agree: '同意',
  oldestWaits: wait => `最早的已等待 ${wait}`,
  oldestLasts: time => `最早的已持续 ${time}`,
  unsent: count => `${count} 笔付款未发出：`,
  failedTimes: count => `失败 ${count} 次`,
  todoRelease: (amount, token) => `${amount} ${token} 待用通行密钥放行`,
  holdings: '持有（折合 USDT）',
  holdingsInAll: '合计持有',
  owedInAll: '应付商户',
  isWanted: '申请内容',
  inWords: '原因（供其他运营人员判断）',
  reasonTooShort: '至少 8 个字符（4 个汉字），且不能全部相同',
  stake: '涉及金额',
  whyStopped: '停止原因',
  missing: '缺失金额',
  stakeFacts: {
    missing: '缺失金额',
    payouts: '包含付款笔数',
    deposits: '涉及充值笔数',
    nonce: 'nonce 值',
    from: '转出热钱包',
    to: '转入资金库',
    amount: '金额',
    cancels: '因此取消的付款笔数',
  },
  empty: '全部转入资金库',
  emptyText:
    '用于密钥可能泄露的情况。钱包将停用，尚未上链的付款会被取消，全部余额只会转入签名策略指定的资金库，直到钱包恢复为止。',
  noTreasury: '无法转移：签名策略未指定该网络的资金库，或签名服务没有响应。',
  moves: '转入资金库的记录',
  noMoves: '尚未发出：钱包余额不足以支付手续费，或签名服务没有响应',
  moveStates: {
    signing: '待签名',
    sent: '已发送',
    in_block: '已上链',
    arrived: '已到账',
    failed: '失败',
  },
  abandon: '放弃',
  abandonText: '其中的付款视为未支付，可再次支付。请先确认占用该 nonce 的交易没有支付其中任何一笔。',
  block: '区块',
  payment: '收款',
  decidesAlone: '由您一人决定：目前（及过去一天内）没有其他运营人员可执行此操作。操作会被记录。',
  decidesBelow: limit => `不超过 ${limit} USDT，由您一人决定。`,
  decidesTwo: limit => `金额超过 ${limit} USDT，须由另一位运营人员在 24 小时内提出相同申请后才会生效。`,
  decidesUnpriced: tokens =>
    `${tokens} 暂无报价，无法估算涉及金额，须由另一位运营人员在 24 小时内提出相同申请后才会生效。`,
  decidesSecond: (who, reason) => `${who} 已提出申请：“${reason}”。您确认后立即生效。`,
  decidesRaised: limit =>
    `将限额或免复核额度提高到 ${limit} USDT 以上时，须由另一位运营人员在 24 小时内提出相同申请后才会生效。`,
  askedAlready: '您已提出申请，等待另一位运营人员确认。',
}

export default decisions
