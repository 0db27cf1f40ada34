export default {
  "viewer": "可查看全部内容，不可操作",
  "support": "商户、回调、公告和工单",
  "finance": "提现、费率、限额、钱包和网络",
  "owner": "全部权限，并管理运营人员"
}
