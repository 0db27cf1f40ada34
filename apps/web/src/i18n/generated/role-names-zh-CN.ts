export default {
  "viewer": "只读",
  "support": "客服",
  "finance": "财务",
  "owner": "所有者"
}
