import type en from '../en/application-rates.ts'

const rates: typeof en = {
  title: '汇率',
  text: name => `${name} 新订单的计价方式，已有订单的汇率不变。`,
  save: '保存',
  saved: '汇率已保存。',
  spread: '加价',
  spreadHint: '法币订单在汇率之外加收的百分比，负数为优惠，范围 -20 至 20。',
  spreadBad: '请输入 -20 至 20 的百分比，最多 2 位小数',
  sources: '汇率来源',
  sourcesHint: '按顺序使用第一个有汇率的来源。未设置汇率的货币使用市场价格。',
  sourcesNeeded: '请至少选择一个来源',
  names: { fixed: '固定汇率', own: '自有网址', market: '市场价格' },
  hints: { fixed: '按下方填写的汇率', own: '读取时间不超过 5 分钟', market: '多家交易所报价的中位数' },
  earlier: name => `上移${name}`,
  fixed: '固定汇率',
  fixedHint:
    '每行一项：CNY 7.2 表示 1 USDT 兑 7.2 CNY，ETH 2500 表示 1 ETH 兑 2500 USDT。须在市场价格的一半至两倍之间。',
  fixedBad: '每行填写一种货币及其汇率，最多 30 行；汇率写作 1500 或 1.5，不要写作 1,500 或 1.500',
  own: '自有网址',
  ownHint:
    '每行一项：货币、JSON 文档的 https 网址、汇率在文档中的位置。每分钟读取一次，与市场价格相差 1.2 倍以上的汇率不予使用。',
  ownBad: '每行填写货币、网址和位置（例如 data.0.price），最多 10 行',
  readings: '最近读取',
  read: '正常',
  unread: '尚未读取',
  failures: {
    unreachable: '无响应',
    bad_answer: '响应不是 JSON',
    no_value: '该位置没有汇率',
    implausible: '偏离市场过大',
  },
}

export default rates
