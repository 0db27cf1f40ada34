/** What the specification names: its calls (section 7) and its screens (section 2), with those that product.md adds. */

const withPrefix = (prefix: string, calls: string[]) => calls.map(call => call.replace(' ', ` /api/v1/${prefix}`))

/** Every call, as the contract writes it: method and path. */
export const calls: string[] = [
  ...withPrefix('public/', [
    'POST email/send-verification-code',
    'POST login',
    'POST register',
    'POST login/verification',
    'POST sms/send-verification-code',
  ]),
  ...withPrefix('user', [
    'POST /login-out',
    'PUT /password',
    'GET /info',
    'PUT /edit',
    'GET /google-auth',
    'POST /google-auth',
    'PUT /mailbox',
    'PUT /phone',
    'DELETE ',
    'POST /verification',
    'GET /log',
    'GET /secret-key',
    'POST /secret-key',
    'PUT /secret-key',
    'DELETE /secret-key',
    'GET /secret-key/list',
    'GET /secret-key/select',
    'PUT /secret-key/notify-url',
    'PUT /secret-key/refresh-google-secret',
    'GET /application-list',
  ]),
  ...withPrefix('statistics/', ['GET assets', 'GET overview', 'GET daily-collection']),
  ...withPrefix('currency/', ['GET list', 'POST rearrange']),
  ...withPrefix('account/', [
    'GET cost',
    'GET address-valid',
    'GET withdrawal-list',
    'GET withdrawal-list/export',
    'POST withdrawal',
    'POST recharge/funds',
    'POST internal-transfer',
    'GET internal-transfer',
    'GET recharge',
    'GET stream',
    'GET expend',
  ]),
  ...withPrefix('transactions/', ['GET list', 'GET list/export']),
  ...withPrefix('message', ['GET ', 'PUT /read']),
  ...withPrefix('market/', ['GET follow/list', 'PUT follow/token', 'GET search']),
]

/** Every screen of the desktop besides /login, which is an entry of its own. */
export const screens: string[] = [
  '/',
  '/record',
  '/property',
  '/property/fundingDetails',
  '/property/WithdrawSetting',
  '/property/fixedAddr',
  '/accountInfo',
  '/appManage',
  '/callbackList',
  '/openAuth',
  '/openAuthPage',
  '/reviewing',
  '/withdraw',
  '/initPage',
  // The areas that the specification names without a path.
  '/statistics',
  '/record/withdrawal',
  '/record/refund',
  '/billing',
  '/address',
  '/transfer',
  '/transfer/record',
  '/workOrder',
]

/** The screens that exist for phones too, at /m before the path. */
export const phoneScreens: string[] = [
  '/',
  '/record',
  '/property',
  '/accountInfo',
  '/appManage',
  '/openAuth',
  '/openAuthPage',
  '/reviewing',
  '/withdraw',
  '/initPage',
]

/** Calls of areas that are not built yet: money out. A call leaves this list when it comes. */
export const callsToCome: string[] = withPrefix('account/', [
  'GET cost',
  'GET withdrawal-list',
  'GET withdrawal-list/export',
  'POST withdrawal',
  'POST internal-transfer',
  'GET internal-transfer',
])

/** Screens of areas that are not built yet: money out, billing, addresses, work orders, and the phone's layout. */
export const screensToCome: string[] = [
  '/property/WithdrawSetting',
  '/withdraw',
  '/record/withdrawal',
  '/record/refund',
  '/billing',
  '/address',
  '/transfer',
  '/transfer/record',
  '/workOrder',
  ...phoneScreens.map(path => `/m${path}`),
]
