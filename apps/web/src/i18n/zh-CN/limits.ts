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
  aboveLimit: {
    destination: (limit, used) => `24 小时内向同一收款方累计超过 ${limit} USDT（已转出 ${used}）`,
    merchant: (limit, used) => `24 小时内向所有收款方累计超过 ${limit} USDT（已转出 ${used}）`,
  },
} satisfies typeof en
