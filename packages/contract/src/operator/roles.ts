import type { accountRoutes } from './account.ts'
import type { OperatorKey } from './index.ts'

/** Roles of operators, from the one that may only read to the one that may do everything. */
export const operatorRoleNames = ['viewer', 'support', 'finance', 'owner'] as const
export type OperatorRole = (typeof operatorRoleNames)[number]

/** Calls that need no role: they open, confirm or end a session. */
export type OwnKey = Exclude<
  keyof typeof accountRoutes,
  `${string}/operators${string}` | `${string}/passkeys${string}` | `${string}/log`
>
/** Calls that need a role. */
export type RoleKey = Exclude<OperatorKey, OwnKey>

const everyone = operatorRoleNames
const owner = ['owner'] as const
const support = ['support', 'owner'] as const
const finance = ['finance', 'owner'] as const
/** Everybody who may change something. */
const worksOn = ['support', 'finance', 'owner'] as const

/** Who may make a call. A call that is not listed does not compile, and one of no role is refused to everybody. */
export const operatorRoles: Record<RoleKey, readonly OperatorRole[]> = {
  'GET /api/operator/v1/merchants': everyone,
  'GET /api/operator/v1/merchants/:id': everyone,
  'POST /api/operator/v1/merchants/:id/review': support,
  'POST /api/operator/v1/merchants/:id/note': worksOn,
  'POST /api/operator/v1/merchants/:id/documents': support,
  'PUT /api/operator/v1/merchants/:id/risk': support,
  'POST /api/operator/v1/merchants/:id/freeze': support,
  'POST /api/operator/v1/merchants/:id/unfreeze': support,
  'PUT /api/operator/v1/merchants/:id/terms': finance,
  'POST /api/operator/v1/merchants/:id/remove-authenticator': support,
  'POST /api/operator/v1/merchants/:id/cancel-removal': support,
  'POST /api/operator/v1/merchants/:id/lift-hold': support,
  'GET /api/operator/v1/merchants/:id/activity': everyone,
  'GET /api/operator/v1/search': everyone,
  'GET /api/operator/v1/applications': everyone,
  'GET /api/operator/v1/payments': everyone,
  'GET /api/operator/v1/payments/:id': everyone,
  'GET /api/operator/v1/callbacks': everyone,

  'GET /api/operator/v1/withdrawals': everyone,
  'GET /api/operator/v1/withdrawals/:id': everyone,
  'POST /api/operator/v1/withdrawals/:id/approve': finance,
  'GET /api/operator/v1/withdrawals/:id/passkey': everyone,
  'POST /api/operator/v1/withdrawals/:id/approve-by-passkey': finance,
  'POST /api/operator/v1/withdrawals/:id/reject': finance,
  'POST /api/operator/v1/withdrawals/:id/cancel': finance,
  'GET /api/operator/v1/refunds': everyone,
  'GET /api/operator/v1/refunds/:id': everyone,
  'POST /api/operator/v1/refunds/:id/approve': finance,
  'POST /api/operator/v1/refunds/:id/cancel': finance,
  'GET /api/operator/v1/releases': everyone,
  'GET /api/operator/v1/releases/:owner/:id': everyone,
  'POST /api/operator/v1/releases/:owner/:id': finance,

  'GET /api/operator/v1/work-orders': everyone,
  'GET /api/operator/v1/work-orders/:id': everyone,
  'POST /api/operator/v1/work-orders/:id/answer': support,
  'POST /api/operator/v1/work-orders/:id/pictures': support,
  'GET /api/operator/v1/work-orders/:id/pictures/:picture': everyone,
  'POST /api/operator/v1/work-orders/:id/close': support,
  'POST /api/operator/v1/work-orders/:id/reopen': support,

  'GET /api/operator/v1/announcements': everyone,
  'POST /api/operator/v1/announcements': support,
  'POST /api/operator/v1/announcements/:id/withdraw': support,

  'GET /api/operator/v1/today': everyone,
  'GET /api/operator/v1/accounted': everyone,
  'GET /api/operator/v1/exposure': everyone,
  'GET /api/operator/v1/liquidity': everyone,
  'GET /api/operator/v1/decisions': everyone,
  'GET /api/operator/v1/stakes': everyone,
  'GET /api/operator/v1/chains': everyone,
  'POST /api/operator/v1/chains/:id/resume': finance,
  'POST /api/operator/v1/chains/:id/reread': finance,
  'POST /api/operator/v1/deposits/:id/undo': finance,
  'POST /api/operator/v1/deposits/:id/credit': finance,
  'POST /api/operator/v1/deposits/:id/return': finance,
  'POST /api/operator/v1/assets/:id/release': finance,
  'POST /api/operator/v1/assets/:id/refuse': finance,
  'GET /api/operator/v1/incidents': everyone,
  'GET /api/operator/v1/incidents/:id': everyone,
  'GET /api/operator/v1/incidents/:id/deposits': everyone,
  'GET /api/operator/v1/incidents/:id/waiting': everyone,
  'POST /api/operator/v1/incidents/:id/take': worksOn,
  'POST /api/operator/v1/incidents/:id/tick': worksOn,
  'POST /api/operator/v1/incidents/:id/note': worksOn,
  'POST /api/operator/v1/incidents/:id/close': finance,
  'GET /api/operator/v1/wallets': everyone,
  'POST /api/operator/v1/wallets/:id/halt': finance,
  'POST /api/operator/v1/wallets/:id/resume': finance,
  'POST /api/operator/v1/wallets/:id/cancel': finance,
  'POST /api/operator/v1/wallets/:id/abandon': finance,
  'POST /api/operator/v1/wallets/:id/empty': finance,
  'POST /api/operator/v1/wallets/:id/sweep': finance,
  'GET /api/operator/v1/queues': everyone,
  'POST /api/operator/v1/queues/:id/pause': finance,
  'POST /api/operator/v1/queues/:id/resume': finance,
  'POST /api/operator/v1/callbacks/:id/resend': support,

  'GET /api/operator/v1/passkeys': everyone,
  'GET /api/operator/v1/passkeys/new': everyone,
  'POST /api/operator/v1/passkeys': everyone,
  'DELETE /api/operator/v1/passkeys/:id': everyone,
  'GET /api/operator/v1/alerts': everyone,
  'PUT /api/operator/v1/alerts': everyone,
  'GET /api/operator/v1/alert-devices': everyone,
  'POST /api/operator/v1/alert-devices': everyone,
  'POST /api/operator/v1/alert-devices/:id/test': everyone,
  'DELETE /api/operator/v1/alert-devices/:id': everyone,
  'GET /api/operator/v1/alert-hooks': owner,
  'POST /api/operator/v1/alert-hooks': owner,
  'PUT /api/operator/v1/alert-hooks/:id': owner,
  'POST /api/operator/v1/alert-hooks/:id/renew': owner,
  'POST /api/operator/v1/alert-hooks/:id/test': owner,
  'DELETE /api/operator/v1/alert-hooks/:id': owner,
  'GET /api/operator/v1/operators': everyone,
  'POST /api/operator/v1/operators': owner,
  'PUT /api/operator/v1/operators/:id': owner,
  'POST /api/operator/v1/operators/:id/link': owner,
  'DELETE /api/operator/v1/operators/:id': owner,
  'GET /api/operator/v1/log': everyone,
}

/**
 * Calls that need a code of the authenticator entered in this session within `freshSeconds`: those about money,
 * freezing and accounts.
 */
export const freshCalls: readonly RoleKey[] = [
  'POST /api/operator/v1/merchants/:id/review',
  'PUT /api/operator/v1/merchants/:id/risk',
  'POST /api/operator/v1/merchants/:id/freeze',
  'POST /api/operator/v1/merchants/:id/unfreeze',
  'PUT /api/operator/v1/merchants/:id/terms',
  'POST /api/operator/v1/merchants/:id/remove-authenticator',
  'POST /api/operator/v1/merchants/:id/cancel-removal',
  'POST /api/operator/v1/merchants/:id/lift-hold',
  'POST /api/operator/v1/withdrawals/:id/approve',
  'POST /api/operator/v1/withdrawals/:id/reject',
  'POST /api/operator/v1/withdrawals/:id/cancel',
  'POST /api/operator/v1/refunds/:id/approve',
  'POST /api/operator/v1/refunds/:id/cancel',
  'POST /api/operator/v1/chains/:id/resume',
  'POST /api/operator/v1/chains/:id/reread',
  'POST /api/operator/v1/deposits/:id/undo',
  'POST /api/operator/v1/deposits/:id/credit',
  'POST /api/operator/v1/deposits/:id/return',
  'POST /api/operator/v1/assets/:id/release',
  'POST /api/operator/v1/assets/:id/refuse',
  'POST /api/operator/v1/incidents/:id/close',
  'POST /api/operator/v1/wallets/:id/halt',
  'POST /api/operator/v1/wallets/:id/resume',
  'POST /api/operator/v1/wallets/:id/cancel',
  'POST /api/operator/v1/wallets/:id/abandon',
  'POST /api/operator/v1/wallets/:id/empty',
  'POST /api/operator/v1/wallets/:id/sweep',
  'POST /api/operator/v1/queues/:id/pause',
  'POST /api/operator/v1/queues/:id/resume',
  'POST /api/operator/v1/passkeys',
  'DELETE /api/operator/v1/passkeys/:id',
  'POST /api/operator/v1/alert-devices',
  'POST /api/operator/v1/alert-hooks',
  'PUT /api/operator/v1/alert-hooks/:id',
  'POST /api/operator/v1/alert-hooks/:id/renew',
  'DELETE /api/operator/v1/alert-hooks/:id',
  'POST /api/operator/v1/operators',
  'PUT /api/operator/v1/operators/:id',
  'POST /api/operator/v1/operators/:id/link',
  'DELETE /api/operator/v1/operators/:id',
]
export const freshSeconds = 300
