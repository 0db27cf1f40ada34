import type { Language } from './languages.ts'

const refusal = (code: number, status: number, texts: Record<Language, string>) => ({ code, status, ...texts })

/**
 * The error catalogue: the `code` in the response body, the HTTP `status` and the message in each language. Codes never
 * change their meaning; new ones are added at the end of their group.
 */
export const errors = {
  operation_failed: refusal(10001, 422, { en: 'Operation failed', 'zh-CN': '操作失败' }),
  parameter_error: refusal(10002, 422, { en: 'Parameter error', 'zh-CN': '参数错误' }),
  account_not_exist: refusal(10003, 422, { en: 'Account does not exist', 'zh-CN': '账号不存在' }),
  currency_not_supported: refusal(10004, 422, { en: 'Currency not supported temporarily', 'zh-CN': '暂不支持该币种' }),
  no_address_available: refusal(10005, 422, { en: 'No address available', 'zh-CN': '暂无可用地址' }),
  transaction_not_exist: refusal(10006, 404, { en: 'Non-existent transaction', 'zh-CN': '交易不存在' }),
  cannot_refund: refusal(10007, 422, { en: 'This transaction cannot be refunded', 'zh-CN': '该交易无法退款' }),
  sms_code_error: refusal(10008, 422, {
    en: 'SMS verification code error or expired',
    'zh-CN': '短信验证码错误或已过期',
  }),
  phone_exists_or_not: refusal(10009, 422, {
    en: 'Mobile number already exists or does not exist',
    'zh-CN': '手机号已存在或不存在',
  }),
  frequent_operation: refusal(10010, 429, { en: 'Frequent operation', 'zh-CN': '操作过于频繁' }),
  password_error: refusal(10011, 422, { en: 'Password error', 'zh-CN': '密码错误' }),
  currency_not_exist: refusal(10012, 422, { en: 'Currency does not exist', 'zh-CN': '币种不存在' }),
  account_under_review: refusal(10013, 422, { en: 'Account under review', 'zh-CN': '账号审核中' }),
  account_opened: refusal(10014, 422, { en: 'Account opened', 'zh-CN': '账号已开通' }),
  same_password: refusal(10015, 422, { en: 'Same as original password', 'zh-CN': '与原密码相同' }),
  different_password: refusal(10016, 422, { en: 'Different from original password', 'zh-CN': '与原密码不一致' }),
  mailbox_exists: refusal(10017, 422, { en: 'Mailbox already exists', 'zh-CN': '邮箱已存在' }),
  google_code_error: refusal(10018, 422, { en: 'Google code error', 'zh-CN': '身份验证器验证码错误' }),
  token_exists: refusal(10019, 422, { en: 'Token already exists', 'zh-CN': '代币已存在' }),
  name_duplicate: refusal(10020, 422, { en: 'Name cannot be duplicate', 'zh-CN': '名称不能重复' }),
  merchant_not_exist: refusal(10021, 422, { en: 'Merchant does not exist', 'zh-CN': '商户不存在' }),
  amount_too_small: refusal(10022, 422, { en: 'Amount is too small', 'zh-CN': '金额过小' }),
  insufficient_balance: refusal(10023, 422, { en: 'Insufficient balance', 'zh-CN': '余额不足' }),
  withdrawal_forbidden: refusal(10024, 422, {
    en: 'Your account cannot be withdrawn temporarily',
    'zh-CN': '您的账号暂时无法提现',
  }),
  withdrawal_too_large: refusal(10025, 422, {
    en: 'Your single withdrawal amount is too large',
    'zh-CN': '单笔提现金额过大',
  }),
  withdrawal_day_limit: refusal(10026, 422, {
    en: 'Total withdrawal value exceeds the limit within 24 hours',
    'zh-CN': '24小时内提现总额超出限制',
  }),
  email_code_error: refusal(10027, 422, {
    en: 'Email verification code error or expired',
    'zh-CN': '邮箱验证码错误或已过期',
  }),
  open_usdt_chain_first: refusal(10028, 422, { en: 'Please open the USDT chain first', 'zh-CN': '请先开通USDT链' }),
  verification_needed: refusal(10038, 422, { en: 'Second-factor verification is required', 'zh-CN': '需要二次验证' }),
  bad_email: refusal(10040, 422, { en: 'Please enter the correct email format', 'zh-CN': '请输入正确的邮箱格式' }),
  bad_url: refusal(10041, 422, { en: 'Please enter the correct URL', 'zh-CN': '请输入正确的网址' }),
  bad_code: refusal(10042, 422, { en: 'Please enter the correct verification code', 'zh-CN': '请输入正确的验证码' }),
  bad_phone: refusal(10043, 422, { en: 'Please enter the correct phone number', 'zh-CN': '请输入正确的手机号' }),
  phone_and_area_code: refusal(10044, 422, {
    en: 'Phone number and area code are both required',
    'zh-CN': '手机号和区号均为必填',
  }),
  area_code_needed: refusal(10045, 422, { en: 'Please select area code', 'zh-CN': '请选择区号' }),
  bad_password: refusal(10046, 422, {
    en: 'At least 8 characters, letters and digits only, with a digit, a lowercase and an uppercase letter',
    'zh-CN': '至少8位，仅限字母和数字，且须包含数字、小写字母和大写字母',
  }),
  passwords_differ: refusal(10047, 422, {
    en: 'The two password entries are inconsistent',
    'zh-CN': '两次输入的密码不一致',
  }),
  bad_amount: refusal(10048, 422, { en: 'Please enter a correct amount', 'zh-CN': '请输入正确的金额' }),
  bad_ip: refusal(10049, 422, { en: 'IP format is incorrect', 'zh-CN': 'IP格式不正确' }),
  bad_address: refusal(10050, 422, {
    en: 'The address format does not match the selected chain',
    'zh-CN': '地址格式与所选链不匹配',
  }),
  bad_trade_no: refusal(10051, 422, { en: 'A trade number has 32 digits', 'zh-CN': '订单号为32位数字' }),
  bad_account: refusal(10052, 422, { en: 'Account format error', 'zh-CN': '账号格式错误' }),
  bad_image: refusal(10053, 422, {
    en: 'Please upload a png, jpg, jpeg or gif picture under 3M',
    'zh-CN': '请上传小于3M的png、jpg、jpeg或gif图片',
  }),
  too_many_followed: refusal(10054, 422, { en: 'At most 4 tokens can be followed', 'zh-CN': '最多关注4个代币' }),
  text_needed: refusal(10055, 422, { en: 'This field is required', 'zh-CN': '此项为必填' }),
  order_conflict: refusal(10056, 409, {
    en: 'This order number was already used for a different order',
    'zh-CN': '该订单号已用于内容不同的订单',
  }),
  idempotency_conflict: refusal(10057, 409, {
    en: 'This Idempotency-Key was already used for a different request',
    'zh-CN': '该幂等键已用于其他请求',
  }),
  idempotency_in_flight: refusal(10058, 409, {
    en: 'A request with this Idempotency-Key is still being processed',
    'zh-CN': '使用该幂等键的请求仍在处理中',
  }),
  idempotency_unknown: refusal(10107, 409, {
    en: 'This request was carried out, but its answer was lost. Look at what it changed before you repeat it',
    'zh-CN': '该请求已执行，但响应丢失。请先确认执行结果，再决定是否重新提交',
  }),
  price_unavailable: refusal(10059, 503, {
    en: 'No reliable price is available right now, please try again shortly',
    'zh-CN': '暂无可靠报价，请稍后再试',
  }),
  transaction_cannot_close: refusal(10060, 422, {
    en: 'This transaction can no longer be closed',
    'zh-CN': '该交易已无法关闭',
  }),
  application_disabled: refusal(10061, 422, { en: 'This application is disabled', 'zh-CN': '该应用已停用' }),
  application_not_exist: refusal(10062, 422, { en: 'Application does not exist', 'zh-CN': '应用不存在' }),
  account_frozen: refusal(10063, 403, {
    en: 'This account is frozen, please contact the operator',
    'zh-CN': '账号已冻结，请联系运营方',
  }),
  account_held: refusal(10260, 403, { en: 'The account is on hold', 'zh-CN': '账号处于安全保护期' }),
  merchant_not_open: refusal(10064, 422, { en: 'Please open merchant permission first', 'zh-CN': '请先开通商户权限' }),
  ip_not_allowed: refusal(10065, 403, {
    en: 'This IP address is not on the whitelist of the application',
    'zh-CN': '该IP不在应用白名单内',
  }),
  wrong_credentials: refusal(10066, 422, { en: 'Wrong email or password', 'zh-CN': '邮箱或密码错误' }),
  sign_in_failed: refusal(10067, 422, { en: 'Third-party sign-in failed', 'zh-CN': '第三方登录失败' }),
  proof_needed: refusal(10068, 422, { en: 'Please confirm with a verification code', 'zh-CN': '请使用验证码确认' }),
  callback_not_exist: refusal(10069, 422, { en: 'Callback does not exist', 'zh-CN': '回调不存在' }),
  url_forbidden: refusal(10070, 422, {
    en: 'This URL points to an address that is not allowed',
    'zh-CN': '该网址指向不允许访问的地址',
  }),
  already_bound: refusal(10071, 422, { en: 'Already bound', 'zh-CN': '已绑定' }),
  not_bound: refusal(10072, 422, { en: 'Not bound yet', 'zh-CN': '尚未绑定' }),
  limit_reached: refusal(10073, 422, { en: 'Limit reached', 'zh-CN': '已达到数量上限' }),
  chain_unavailable: refusal(10074, 503, { en: 'This network is currently unavailable', 'zh-CN': '该网络暂不可用' }),
  chain_halted: refusal(10252, 503, {
    en: 'This network is halted after a deep reorg of its blocks, until the operator has checked it',
    'zh-CN': '该网络发生深度区块重组，已暂停使用，待运营方核查后恢复',
  }),
  amount_too_large: refusal(10075, 422, { en: 'Amount is too large', 'zh-CN': '金额过大' }),
  transaction_ended: refusal(10077, 422, { en: 'This transaction has ended', 'zh-CN': '该交易已结束' }),
  account_not_empty: refusal(10078, 422, {
    en: 'The account still holds funds or has open transactions',
    'zh-CN': '账号仍有余额或未完成的交易',
  }),
  token_not_chosen: refusal(10079, 422, { en: 'Choose a network and a token first', 'zh-CN': '请先选择网络和代币' }),
  https_needed: refusal(10080, 422, { en: 'Please use an https URL', 'zh-CN': '请使用https网址' }),
  metadata_too_large: refusal(10081, 422, {
    en: 'Metadata may have at most 50 keys and 16 kB',
    'zh-CN': '元数据最多50个键，且不超过16kB',
  }),
  tolerance_too_large: refusal(10082, 422, {
    en: 'The tolerance exceeds that of the application',
    'zh-CN': '容差超过应用的设置',
  }),
  transaction_cannot_mark: refusal(10083, 422, {
    en: 'This transaction cannot be marked now',
    'zh-CN': '该交易当前无法标记',
  }),
  common_password: refusal(10089, 422, {
    en: 'This password is too common or was found in a data breach, please choose another',
    'zh-CN': '该密码过于常见或已在数据泄露中出现，请更换',
  }),
  transfer_to_self: refusal(10091, 422, {
    en: 'You cannot transfer to your own account',
    'zh-CN': '不能划转给自己的账号',
  }),
  mail_failed: refusal(10090, 503, {
    en: 'The email could not be sent, please try again later',
    'zh-CN': '邮件发送失败，请稍后再试',
  }),
  address_not_allowed: refusal(10092, 422, {
    en: 'Payouts to this address are not allowed',
    'zh-CN': '不允许向该地址转出',
  }),
  quote_expired: refusal(10093, 422, {
    en: 'The quote has expired, please check the amounts again',
    'zh-CN': '报价已过期，请重新确认金额',
  }),
  withdrawal_not_exist: refusal(10094, 404, { en: 'Withdrawal does not exist', 'zh-CN': '提现记录不存在' }),
  withdrawal_cannot_change: refusal(10095, 422, {
    en: 'This withdrawal can no longer be changed',
    'zh-CN': '该提现已无法更改',
  }),
  policy_refused: refusal(10096, 422, {
    en: 'Not allowed by your withdrawal policy',
    'zh-CN': '提现策略不允许',
  }),
  gas_too_high: refusal(10100, 422, {
    en: 'The gas exceeds your limit for this token',
    'zh-CN': '矿工费超出您为该代币设置的上限',
  }),
  payouts_not_allowed: refusal(10102, 403, {
    en: 'This application may not pay out, allow it in its settings first',
    'zh-CN': '该应用无权发起付款，请先在应用设置中允许',
  }),
  ip_whitelist_needed: refusal(10103, 422, {
    en: 'Payouts by an application need its IP whitelist enabled, with at least one address',
    'zh-CN': '允许应用发起付款前，请先启用IP白名单并至少填写一个地址',
  }),
  reference_conflict: refusal(10104, 409, {
    en: 'This number was already used for a different payout',
    'zh-CN': '该单号已用于内容不同的付款',
  }),
  approver_is_owner: refusal(10105, 422, {
    en: 'The approver must not be the owner of the account',
    'zh-CN': '复核人不能是账号本人',
  }),
  member_not_approving: refusal(10330, 422, {
    en: 'Only a member who is an owner or in finance can be the approver',
    'zh-CN': '复核人须为所有者或财务成员',
  }),
  approval_not_yours: refusal(10331, 422, {
    en: 'You are not among those who may decide this withdrawal now',
    'zh-CN': '您目前无权复核该笔提现',
  }),
  link_not_valid: refusal(10106, 404, { en: 'This link is no longer valid', 'zh-CN': '该链接已失效' }),
  claim_unavailable: refusal(10180, 422, {
    en: 'The merchant cannot pay this refund at the moment and has been notified, please try again later',
    'zh-CN': '商户暂时无法支付该笔退款，已通知商户，请稍后再试',
  }),
  payment_in_doubt: refusal(10183, 422, {
    en: 'A deposit of this payment was reversed by its chain; wait until the operator has decided on it',
    'zh-CN': '该订单有转账被链上撤销，请等待运营方处理完成',
  }),
  claim_ended: refusal(10181, 422, {
    en: 'This refund was already claimed, canceled, or has expired',
    'zh-CN': '该笔退款已被领取、已取消或已过期',
  }),
  claim_changed: refusal(10182, 422, {
    en: 'The network fee has risen, please look at the amount again',
    'zh-CN': '矿工费已上涨，请重新确认到账金额',
  }),
  nothing_to_collect: refusal(10101, 422, {
    en: 'There is nothing to aggregate on this network that is worth its gas',
    'zh-CN': '该网络没有值得支付矿工费归集的余额',
  }),
  address_look_alike: refusal(10115, 422, {
    en: 'This address could be mistaken for another one that you know',
    'zh-CN': '该地址与您已知的地址高度相似，容易混淆',
  }),
  address_in_book: refusal(10116, 422, {
    en: 'This address is already in your address book',
    'zh-CN': '该地址已在地址簿中',
  }),
  entry_not_exist: refusal(10117, 404, {
    en: 'This entry of the address book does not exist',
    'zh-CN': '地址簿中没有该地址',
  }),
  passkey_error: refusal(10135, 422, {
    en: 'The passkey could not be verified, please try again',
    'zh-CN': '通行密钥验证失败，请重试',
  }),
  passkey_cloned: refusal(10136, 422, {
    en: 'A copy of this passkey was used before. It has been blocked; remove it and add a new one',
    'zh-CN': '检测到该通行密钥存在副本，已停用，请移除后重新添加',
  }),
  passkey_unavailable: refusal(10137, 422, {
    en: 'Passkeys need the name of the site in the address bar, not an IP address',
    'zh-CN': '通行密钥仅支持通过域名访问时使用，不支持 IP 地址',
  }),
  passkey_not_exist: refusal(10138, 422, { en: 'Passkey does not exist', 'zh-CN': '通行密钥不存在' }),
  passkey_elsewhere: refusal(10145, 422, {
    en: 'This passkey was made at another address and works there only',
    'zh-CN': '该通行密钥在其他域名创建，仅可在该域名使用',
  }),
  recovery_code_error: refusal(10140, 422, { en: 'Recovery code error or used before', 'zh-CN': '恢复码错误或已使用' }),
  removal_under_way: refusal(10141, 422, {
    en: 'The removal of this authenticator was requested already',
    'zh-CN': '该身份验证器已申请解绑',
  }),
  removal_not_exist: refusal(10142, 422, {
    en: 'No removal of this authenticator waits for a confirmation',
    'zh-CN': '没有待确认的身份验证器解绑申请',
  }),
  second_person_needed: refusal(10143, 422, {
    en: 'Another person than the one who asked must confirm',
    'zh-CN': '须由申请人以外的另一人确认',
  }),
  operator_too_new: refusal(10261, 422, {
    en: 'A new account, or one with a new link, is nobody’s second person for 24 hours',
    'zh-CN': '账号激活或重新邀请后 24 小时内，不能作为第二人参与确认',
  }),
  hold_not_exist: refusal(10144, 422, { en: 'Nothing is on hold', 'zh-CN': '当前没有限制' }),
  passkey_needed: refusal(10139, 422, {
    en: 'Your withdrawal policy requires a passkey for this amount',
    'zh-CN': '根据您的提现策略，该金额须使用通行密钥确认',
  }),
  wallet_error: refusal(10190, 422, {
    en: 'The signature of the wallet could not be verified, please sign again',
    'zh-CN': '钱包签名验证失败，请重新签名',
  }),
  wallet_chain: refusal(10191, 422, {
    en: 'The wallet’s key did not sign. If it is a contract wallet, switch it to another network',
    'zh-CN': '签名与该钱包不符。如使用合约钱包，请切换到其他网络',
  }),
  wallet_unknown: refusal(10192, 422, {
    en: 'No account has this wallet yet. Create one, or link the wallet in your account',
    'zh-CN': '该钱包尚未关联账号，请注册，或登录后在账号中关联',
  }),
  wallet_taken: refusal(10193, 422, { en: 'This wallet belongs to another account', 'zh-CN': '该钱包已关联其他账号' }),
  wallet_unavailable: refusal(10194, 422, {
    en: 'Wallets sign in only where the address of this site is a full name, such as pay.example.com',
    'zh-CN': '仅当网站使用完整域名（如 pay.example.com）时支持钱包登录',
  }),
  security_stronger: refusal(10195, 422, {
    en: 'To accept more methods, confirm with one that is accepted now',
    'zh-CN': '放宽验证方式时，须使用当前接受的方式确认',
  }),
  sms_country: refusal(10196, 422, {
    en: 'Text messages are not sent to this country',
    'zh-CN': '暂不支持向该国家或地区发送短信',
  }),
  sms_limit: refusal(10197, 429, {
    en: 'Too many text messages were asked for: wait, or use the code sent by email',
    'zh-CN': '短信请求过多，请稍后再试或使用邮箱验证码',
  }),
  invoice_unchanged: refusal(10125, 422, {
    en: 'The invoice already has these billing details',
    'zh-CN': '该账单已使用当前的开票信息',
  }),
  address_not_exist: refusal(10118, 404, { en: 'Address does not exist', 'zh-CN': '地址不存在' }),
  work_order_not_exist: refusal(10126, 404, { en: 'This work order does not exist', 'zh-CN': '工单不存在' }),
  work_order_closed: refusal(10127, 422, { en: 'The work order is closed', 'zh-CN': '工单已关闭' }),
  work_order_open: refusal(10128, 422, { en: 'The work order is not closed', 'zh-CN': '工单尚未关闭' }),
  work_order_too_old: refusal(10129, 422, {
    en: 'A work order can be reopened within 7 days; please create a new one',
    'zh-CN': '工单关闭超过 7 天，无法重新打开，请新建工单',
  }),
  login_expired: refusal(401, 401, { en: 'Login expired', 'zh-CN': '登录已过期' }),
  session_frozen: refusal(10287, 401, { en: 'Login expired: account is frozen', 'zh-CN': '登录已过期：账号已冻结' }),
  bad_key: refusal(10076, 401, { en: 'Invalid API key', 'zh-CN': 'API密钥无效' }),
  operator_fresh_needed: refusal(10160, 422, {
    en: 'Please enter a fresh authenticator code',
    'zh-CN': '请输入最新的身份验证器验证码',
  }),
  invitation_ended: refusal(10161, 422, {
    en: 'This link was used, replaced or has expired: ask an owner for a new one',
    'zh-CN': '该链接已使用、已被替换或已过期，请向所有者索取新链接',
  }),
  operator_exists: refusal(10162, 422, {
    en: 'There is an operator with this email',
    'zh-CN': '该邮箱的运营人员已存在',
  }),
  operator_not_exist: refusal(10163, 422, { en: 'Operator does not exist', 'zh-CN': '运营人员不存在' }),
  last_owner: refusal(10164, 422, {
    en: 'This is the only owner: make another operator an owner first',
    'zh-CN': '这是唯一的所有者，请先将其他运营人员设为所有者',
  }),
  second_operator_needed: refusal(10165, 422, {
    en: 'You have approved this already: a second operator must approve it, too',
    'zh-CN': '您已审核过，还需另一位运营人员审核',
  }),
  reason_needed: refusal(10285, 422, {
    en: 'Say why in at least 8 characters: others decide by it',
    'zh-CN': '请填写原因（至少 8 个字符，约 4 个汉字），供他人判断',
  }),
  not_applied: refusal(10286, 422, {
    en: 'This merchant has not applied for permission, so there is nothing to decide',
    'zh-CN': '该商户尚未提交开通申请，无需审核',
  }),
  member_not_exist: refusal(10290, 422, { en: 'This person does not belong to the shop', 'zh-CN': '该成员不存在' }),
  member_exists: refusal(10291, 422, { en: 'This person belongs to the shop already', 'zh-CN': '该成员已存在' }),
  member_is_self: refusal(10292, 422, {
    en: 'This is you: leave the shop instead',
    'zh-CN': '不能移除自己，请使用“退出商户”',
  }),
  last_owner_of_shop: refusal(10293, 422, {
    en: 'This is the only owner: make somebody else an owner first',
    'zh-CN': '这是唯一的所有者，请先将其他成员设为所有者',
  }),
  shop_of_other_owners: refusal(10332, 422, {
    en: 'Another owner belongs to this account. It can be closed once there is only one',
    'zh-CN': '账号还有其他所有者，仅剩一位所有者时才能注销',
  }),
  second_owner_needed: refusal(10294, 422, {
    en: 'You have requested this already: another owner must request the same',
    'zh-CN': '您已提交过该申请，须由另一位所有者执行相同操作后生效',
  }),
  member_too_new: refusal(10295, 422, {
    en: 'You have had this role for less than a day: until then somebody else must decide with the owner',
    'zh-CN': '您获得该角色未满 24 小时，暂不能参与双人复核',
  }),
  invitation_of_another: refusal(10296, 422, {
    en: 'This invitation is for another address: sign in with that one',
    'zh-CN': '该邀请发给其他邮箱，请使用受邀邮箱登录',
  }),
  invitation_sign_in: refusal(10297, 422, {
    en: 'This address has an account: sign in to accept the invitation',
    'zh-CN': '该邮箱已有账号，请登录后接受邀请',
  }),
  member_is_owner: refusal(10299, 422, {
    en: 'This person is an owner: owners remove owners, in the back-office',
    'zh-CN': '该成员是所有者，须由所有者在后台移除',
  }),
  second_factor_needed: refusal(10298, 403, {
    en: 'This shop requires a second factor: bind an authenticator or add a passkey first',
    'zh-CN': '该商户要求二次验证，请先绑定身份验证器或添加通行密钥',
  }),
  payment_link_not_exist: refusal(10200, 404, { en: 'This payment link does not exist', 'zh-CN': '收款链接不存在' }),
  payment_link_closed: refusal(10201, 422, {
    en: 'This payment link takes no more payments',
    'zh-CN': '该收款链接已不再接受付款',
  }),
  amount_out_of_range: refusal(10202, 422, { en: 'The amount is out of range', 'zh-CN': '金额超出范围' }),
  announcement_not_exist: refusal(10210, 422, { en: 'Announcement does not exist', 'zh-CN': '公告不存在' }),
  announcement_end: refusal(10211, 422, {
    en: 'An announcement ends in the future, within a year',
    'zh-CN': '公告的结束时间须晚于当前时间，且不超过一年',
  }),
  push_endpoint: refusal(10220, 422, {
    en: 'The address of push messages must begin with https://',
    'zh-CN': '推送地址须以 https:// 开头',
  }),
  push_devices: refusal(10221, 422, {
    en: 'At most 10 devices show payments: turn it off on another one first',
    'zh-CN': '最多 10 台设备可接收到账推送，请先在其他设备上关闭',
  }),
  message_channels: refusal(10222, 422, {
    en: 'At most 10 chats and systems get your messages: remove another one first',
    'zh-CN': '最多可添加 10 个聊天或系统，请先移除其他的',
  }),
  /**
   * A public call was made too often by strangers, and costs a proof of work. `data.challenge` is one of ALTCHA
   * (version 2, PBKDF2/SHA-256) for this call and mailbox; the same request with `{ challenge, solution }` as JSON in
   * base64url in the header X-Work passes, once.
   */
  work_needed: refusal(10230, 429, {
    en: 'Too many attempts: your browser has to prove some work first',
    'zh-CN': '尝试次数过多，需由浏览器完成一次安全验证',
  }),
  webhook_endpoint_not_exist: refusal(10240, 404, { en: 'No such webhook endpoint', 'zh-CN': 'Webhook 端点不存在' }),
  webhook_endpoint_exists: refusal(10241, 409, {
    en: 'Another webhook endpoint of the application has this URL',
    'zh-CN': '应用的另一个 Webhook 端点已使用该地址',
  }),
  marks_not_allowed: refusal(10250, 403, {
    en: 'This application may not mark orders as paid, allow it in its settings first',
    'zh-CN': '该应用无权将订单标记为已支付，请先在应用设置中允许',
  }),
  settings_not_allowed: refusal(10251, 403, { en: 'The key may not change settings', 'zh-CN': '该密钥无权修改设置' }),
  scope_missing: refusal(10253, 403, {
    en: 'The key may not make this call, allow it in the settings of the application first',
    'zh-CN': '该密钥无权调用此接口，请先在应用设置中允许',
  }),
  secret_of_no_owner: refusal(10254, 403, {
    en: 'The secret key was made by somebody who is no owner of the shop: an owner has to renew it first',
    'zh-CN': '该密钥由非所有者创建，须先由所有者更换密钥',
  }),
  refund_limit_reached: refusal(10270, 422, {
    en: 'The refund is above your limit for 24 hours',
    'zh-CN': '超出您 24 小时内的退款限额',
  }),
  forbidden: refusal(403, 403, { en: 'Not allowed', 'zh-CN': '无权限' }),
  not_found: refusal(404, 404, { en: 'Not found', 'zh-CN': '未找到' }),
  method_not_allowed: refusal(405, 405, { en: 'This path does not take this method', 'zh-CN': '该路径不支持此方法' }),
  body_too_large: refusal(413, 413, { en: 'The request is too large', 'zh-CN': '请求内容过大' }),
  internal: refusal(500, 500, { en: 'Something went wrong on our side', 'zh-CN': '服务器内部错误' }),
  busy: refusal(503, 503, { en: 'The service is busy', 'zh-CN': '服务繁忙' }),
}

export type ErrorName = keyof typeof errors
