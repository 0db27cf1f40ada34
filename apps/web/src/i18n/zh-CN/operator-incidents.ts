import type en from '../en/operator-incidents.ts'

const incidents: typeof en = {
  accounted: ago => `资金账实相符，${ago}核对`,
  missingMoney: (amount, chain, since) => `自 ${since} 起，${chain} 上短缺 ${amount}`,
  doubtedMoney: (amount, chain, since) => `自 ${since} 起，${chain} 上有 ${amount} 存疑，处理前不可提现`,
  missingMore: count => `另有 ${count} 种资产短缺`,
  withdrawalsStopped: '提现已停止',
  withdrawalsGoOn: '提现仍在进行',
  notCompared: assets => `无法确认资金是否完整：${assets}`,
  comparedAgo: (asset, ago) => `${asset} 最近核对于${ago}`,
  comparedBut: {
    unread: compared => `${compared}，但该网络当前未在读取`,
    wallet: compared => `${compared}，但该网络有钱包已停用`,
  },
  neverCompared: asset => `${asset} 从未核对`,
  accountedUnread: '无法确认资金是否完整：服务器无响应',
  showIncident: '查看异常',
  justNow: '刚刚',
  minutesAgo: count => `${count} 分钟前`,
  hoursAgo: count => `${count} 小时前`,
  daysAgo: count => `${count} 天前`,
  lasts: time => `已持续 ${time}`,
  olderIncidents: count => `另有 ${count} 个更早的异常`,
  alarmsFirst: '没有待审核事项，请先处理告警。',
  todoRemoval: merchant => `解绑 ${merchant} 的身份验证器`,
  removalAsks: who => `等待另一位运营人员同意；${who} 申请于`,
  removalDue: (who, second) => `${who} 和 ${second} 已同意，将于以下时间执行：`,
  yesterday: '昨日（UTC）',
  liquidityStates: {
    covered: '账实相符',
    short: '钱包余额低于待付金额',
    uncovered: '低于应付金额',
    missing: '资金短缺',
    unknown: '无法确认',
  },
}

export default incidents
