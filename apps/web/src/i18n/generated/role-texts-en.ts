export default {
  "viewer": "reads everything, changes nothing",
  "support": "merchants, callbacks, announcements and work orders",
  "finance": "withdrawals, fees, limits, wallets and chains",
  "owner": "everything, and the operators"
}
