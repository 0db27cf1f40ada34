import type en from '../en/operator-jobs.ts'

/** What the jobs of a server do, by their names. */
const jobs: typeof en = {
  jobNames: {
    send: '发送提现和归集交易',
    'alert operators': '向运营人员发送提醒邮件',
    'alert systems': '向设备和系统发送提醒',
    'check audit log': '校验审计日志',
    'compare nodes': '核对各节点的应答',
    'watch frozen payouts': '报告停滞的付款与归集',
    'compare tokens': '核对暂缓入账的充值与余额',
    'delete expired rows': '清理过期数据',
    'deliver callbacks': '发送回调',
    'end announcements': '结束到期公告',
    'expire payments': '关闭超时订单',
    'expire refund links': '关闭过期退款链接',
    'find native coin': '查找到账的原生币',
    'fold lists': '统计列表数量',
    'fold statistics': '汇总统计数据',
    forks: '检查节点预告的分叉',
    'issue invoices': '生成往月账单',
    'measure gas': '测算链上手续费',
    'read again': '重新读取区块',
    'read the clock of the database': '比对服务器与数据库时钟',
    reconcile: '账本与链上对账',
    'refresh prices': '更新价格',
    'remove authenticators': '执行到期的身份验证器解绑',
    'sandbox miner': '沙箱出块',
    'send pushes': '向设备推送通知',
    sweep: '归集充值',
    'read own rates': '获取商户自有汇率',
    'watch chains': '报告异常的网络和节点',
    'watch stuck payouts': '报告迟迟未上链的付款',
    'watch late callbacks': '报告延迟的回调',
    'watch upgrades': '监控代币合约升级',
    'watch wallets': '监控钱包异常转出',
  },
  notRunYet: '尚未运行',
  standsStill: '停滞',
}

export default jobs
