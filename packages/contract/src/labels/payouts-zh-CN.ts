export const payoutReasons: Record<string, string> = {
  'signer: daily_limit': '平台 24 小时付款限额已用完，额度恢复后自动转出。',
  'signer: fee_too_high': '当前网络手续费超过上限，手续费回落后自动转出。',
  'signer: passkey_required': '该金额的付款须由平台人工放行，目前尚未放行。',
  'signer: passkey_invalid': '该金额的付款须由平台人工放行，目前尚未放行。',
  'signer: passkey_used': '该金额的付款须由平台人工放行，目前尚未放行。',
}
