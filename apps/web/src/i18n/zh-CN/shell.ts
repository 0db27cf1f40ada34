import { callback, exception, payment } from '@coffer/contract/labels/zh-CN.ts'
import type en from '../en/shell.ts'

const shell: typeof en = {
  groups: { overview: '概览', money: '资金', integration: '接入', account: '账号' },
  skipToContent: '跳到正文',
  mainMenu: '主菜单',
  closeMenu: '关闭菜单',
  documentation: '开发文档',
  announcements: '公告',
  logout: '退出登录',
  search: '搜索',
  discardTitle: '放弃已填写的内容？',
  discardText: '表单尚未提交。',
  discard: '放弃',
  notifications: '通知',
  notificationsUnread: count => `通知，${count} 条未读`,
  notificationsMoney: '通知，有新的资金变动',
  today: '今天',
  yesterday: '昨天',
  endOfList: '已经到底了，没有更多',
  testMode: '测试模式',
  testModeText: '当前为沙箱环境，所有资金均非真实资金。',
  notLive: '与服务器的连接已断开，显示的数据可能不是最新的，恢复连接后会自动更新。',
  delayed: chains => `${chains} 网络数据更新有延迟。款项不会丢失，相关订单在此期间不会超时。`,
  // Lists, dates and states
  inAll: text => `共 ${text} 条`,
  dateRange: '时间范围',
  anyTime: '不限时间',
  apply: '确定',
  clear: '清除',
  unknown: '未知',
  paymentStates: payment,
  exceptions: exception,
  callbackStates: callback,
  counterPaid: (amount: string) => `当面收款已到账：${amount}`,
}

export default shell
