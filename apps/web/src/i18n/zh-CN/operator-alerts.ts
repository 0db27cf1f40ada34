import type en from '../en/operator-alerts.ts'

const alerts: typeof en = {
  title: '我的邮件提醒',
  text: '仅提醒您有权处理的事项，同时出现的多项合为一封邮件。可能导致资金停滞或损失的异常不受以下设置限制，随时发送。',
  about: '提醒内容',
  kinds: {
    incident: '其他异常',
    withdrawal: '待审核的提现',
    refund: '待处理的退款',
    opening: '待审核的开通申请',
    removal: '待第二人确认的身份验证器解绑',
    decision: '待第二人确认的操作',
  },
  urgent: '可能导致资金停滞或损失的异常',
  quiet: '免打扰时段',
  always: '无，随时发送',
  hours: (from, until, zone) => `${from} 至 ${until}（${zone}）`,
  from: '免打扰开始',
  until: '免打扰结束',
  quietText: zone => `按本设备的时区 ${zone}。开始与结束相同表示不设免打扰。`,
  change: '修改',
}

export default alerts
