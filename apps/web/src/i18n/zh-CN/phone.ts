import type en from '../en/phone.ts'

const phone: typeof en = {
  tabs: '主要功能',
  home: '首页',
  records: '记录',
  collect: '收款',
  assets: '资产',
  me: '我的',
  back: '返回',
  refreshing: '正在刷新',
  filters: '筛选',
  showResults: '查看结果',
  details: '详情',
  hide: '隐藏金额',
  show: '显示金额',
  hidden: '已隐藏',
}

export default phone
