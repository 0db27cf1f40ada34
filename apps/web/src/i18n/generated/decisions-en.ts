export default {
  "PUT /api/operator/v1/merchants/:id/risk": "Change the risk level of {of}",
  "POST /api/operator/v1/merchants/:id/unfreeze": "Unfreeze {of}",
  "PUT /api/operator/v1/merchants/:id/terms": "Change the terms of {of}",
  "POST /api/operator/v1/merchants/:id/lift-hold": "Lift the hold of {of}",
  "POST /api/operator/v1/chains/:id/resume": "Resume reading {of}",
  "POST /api/operator/v1/deposits/:id/undo": "Undo deposit {of}",
  "POST /api/operator/v1/deposits/:id/credit": "Credit deposit {of}",
  "POST /api/operator/v1/deposits/:id/return": "Return deposit {of}",
  "POST /api/operator/v1/assets/:id/release": "Release the token {of}",
  "POST /api/operator/v1/queues/:id/resume": "Resume {of}",
  "POST /api/operator/v1/wallets/:id/resume": "Resume the hot wallet of {of}",
  "POST /api/operator/v1/wallets/:id/abandon": "Abandon a payout of {of}",
  "POST /api/operator/v1/wallets/:id/empty": "Move all of the hot wallet of {of} to the treasury",
  "POST /api/operator/v1/incidents/:id/close": "Close the incident “{of}”"
}
