import type en from '../en/limits.ts'

export default {
  ruleNames: {
    single: '单笔限额',
    window: '周期限额',
    destination: '仅限地址簿中的地址',
    hours: '提现时段',
    approval: '双人复核',
    fresh_factor: '通行密钥确认',
  },
  platform: rule => `${rule} · 平台`,
  period: hours => (hours > 24 && hours % 24 === 0 ? `${hours / 24} 天内` : `${hours} 小时内`),
  within: (limit, period) => `${period} ${limit}\u00a0USDT`,
  aboveLimit: {
    destination: (limit, used) => `24 小时内向同一收款方累计超过 ${limit} USDT（已转出 ${used}）`,
    merchant: (limit, used) => `24 小时内向所有收款方累计超过 ${limit} USDT（已转出 ${used}）`,
  },
} satisfies typeof en
