import type { OperatorRole } from '@coffer/contract/kit/operator-roles.ts'

const worksOn = ['incidents/:id/take', 'incidents/:id/tick', 'incidents/:id/note', 'merchants/:id/note'].map(
  each => `POST ${each}`,
)
/** What each role may change, in words of its own: a call that moves between roles by mistake is noticed here. */
const mayChange: Record<OperatorRole, string[]> = {
  viewer: [],
  support: [
    'POST merchants/:id/review',
    'POST merchants/:id/documents',
    'PUT merchants/:id/risk',
    'POST merchants/:id/freeze',
    'POST merchants/:id/unfreeze',
    'POST merchants/:id/remove-authenticator',
    'POST merchants/:id/cancel-removal',
    'POST merchants/:id/lift-hold',
    'POST callbacks/:id/resend',
    'POST announcements',
    'POST announcements/:id/withdraw',
    ...['answer', 'close', 'pictures', 'reopen'].map(what => `POST work-orders/:id/${what}`),
    ...worksOn,
  ],
  finance: [
    ...worksOn,
    'PUT merchants/:id/terms',
    'POST withdrawals/:id/approve',
    'POST withdrawals/:id/approve-by-passkey',
    'POST withdrawals/:id/reject',
    'POST withdrawals/:id/cancel',
    'POST withdrawals/:id/paid',
    'POST refunds/:id/approve',
    'POST refunds/:id/cancel',
    'POST refunds/:id/paid',
    'POST releases/:owner/:id',
    'POST chains/:id/resume',
    'POST chains/:id/reread',
    ...['undo', 'credit', 'return'].map(what => `POST deposits/:id/${what}`),
    'POST assets/:id/release',
    'POST assets/:id/refuse',
    'POST incidents/:id/close',
    'POST wallets/:id/halt',
    'POST wallets/:id/resume',
    'POST wallets/:id/cancel',
    ...['abandon', 'empty', 'sweep'].map(what => `POST wallets/:id/${what}`),
    'POST queues/:id/pause',
    'POST queues/:id/resume',
  ],
  owner: [
    'POST operators',
    'PUT operators/:id',
    'POST operators/:id/link',
    'DELETE operators/:id',
    'POST alert-hooks',
    'PUT alert-hooks/:id',
    'DELETE alert-hooks/:id',
    ...['renew', 'test'].map(what => `POST alert-hooks/:id/${what}`),
  ],
}

/** What every operator may change: the own account. */
const devices = ['POST alert-devices', 'POST alert-devices/:id/test', 'DELETE alert-devices/:id']
const own = ['POST passkeys', 'DELETE passkeys/:id', 'PUT alerts', ...devices]
/** An owner may do what every other role may. */
const ownerToo = [...mayChange.support, ...mayChange.finance]

/** Returns the calls by which a role may change something, sorted. */
export const changesOf = (role: OperatorRole): string[] =>
  [...new Set([...own, ...mayChange[role], ...(role === 'owner' ? ownerToo : [])])].sort()
