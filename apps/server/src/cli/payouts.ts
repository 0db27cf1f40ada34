import { codeNameOf, withdrawalStatus } from '@coffer/contract/codes.ts'
import { formatStoredReason } from '@coffer/contract/incidents/reasons.ts'
import { withdrawalLabels } from '@coffer/contract/labels.ts'
import { createApiCommand, withPendingApprovalNotice } from './act.ts'
import type { OperatorCall } from './call.ts'
import { type Command, CommandFailure, formatFields, formatTable } from './command.ts'
import { declaredCommands } from './declared.ts'
import { describeObject } from './objects.ts'

const label = { status: ({ status }: { status: number }) => withdrawalLabels.en[codeNameOf(withdrawalStatus, status)!] }

const approvedText = (what: string, { waits }: { waits: boolean }) =>
  waits
    ? `Your approval of ${what} is recorded. A second operator must approve it, too.`
    : `${what.charAt(0).toUpperCase()}${what.slice(1)} is queued to be sent.`

const paidText = (what: string, { waits }: { waits: boolean }) =>
  waits
    ? `Recorded. ${what.charAt(0).toUpperCase()}${what.slice(1)} waits until a second operator names the same transaction.`
    : `${what.charAt(0).toUpperCase()}${what.slice(1)} is complete: the transaction has paid it.`

/** Asks before a payout is decided: what goes where. */
const askAbout =
  (kind: 'withdrawal' | 'refund', verb: string) =>
  async (call: OperatorCall, [id = '']: string[]) =>
    `${verb} ${await describeObject(call, kind, id)}?`

const noWallet = 'There is no wallet yet: the server stores it once the signer answers.'

const walletState = {
  state: (row: { halted: string; waits: string }) =>
    row.halted ? `halted: ${formatStoredReason(row.halted, 'en')}` : row.waits ? `lacks ${row.waits}` : 'ready',
}

const remedies = {
  passkeys: 'passkeys that release large payouts',
  treasury: 'a treasury with a float of each asset',
  onlyTo: 'your own wallets in onlyTo',
  allChains: 'a limit over all chains (allChains)',
  vault: 'vault mode',
}

export const payoutCommands: Command[] = [
  {
    usage: 'signer status',
    help: 'show whether the signer answers, and whether it may sign for each wallet',
    async run(call) {
      const { per_day } = await call('GET exposure')
      const { list } = await call('GET wallets')
      const wallets = formatTable(list, noWallet, ['chain_id', 'role', 'address', 'state'], walletState)
      if (per_day === '') throw new CommandFailure(`The signer does not answer.\n\n${wallets}`)
      return { text: `The signer answers.\n\n${wallets}`, data: { answers: true, wallets: list } }
    },
  },
  {
    usage: 'signer exposure',
    help: 'show what who took over the server could take, by the policy of the signer, and what would lower it',
    async run(call) {
      const { chains, per_day, in_all, uncounted, remedies: lower } = await call('GET exposure')
      if (per_day === '') throw new CommandFailure('The signer does not answer.')
      return [
        `Who took over the server could take ${per_day} dollars in 24 hours, and ${in_all === '' ? 'an unknown sum of' : in_all} dollars until the signer is stopped.`,
        formatTable(chains, 'No chains.', ['chain', 'payouts', 'fees']),
        ...(uncounted.length === 0
          ? []
          : [
              `Not counted, as policy.json gives no worth: ${uncounted.map(each => `${each.asset} on ${each.chain}`).join(', ')}.`,
            ]),
        ...(lower.length === 0
          ? []
          : [`Lower it by ${lower.map(each => remedies[each]).join(', ')} (docs/payouts.md).`]),
      ].join('\n\n')
    },
  },
  {
    usage: 'withdrawal list [waiting|sending|ended]',
    help: 'list withdrawals: those that wait for you (auditing, abnormal), by default, or others',
    async run(call, [group]) {
      const { list } = await call('GET withdrawals', { query: { group: group as 'waiting' | undefined } })
      return formatTable(
        list,
        'No withdrawals.',
        ['id', 'mchid', 'status', 'amount', 'chain', 'address', 'created_time', 'reason'],
        { ...label, amount: row => `${row.amount} ${row.token}` },
      )
    },
  },
  {
    usage: 'withdrawal show <number>',
    help: 'show a withdrawal with its policy reports and history',
    async run(call, [id = '']) {
      const row = await call('GET withdrawals/:id', { params: { id } })
      const names = ['id', 'mchid', 'status', 'amount', 'fee', 'gas', 'receives', 'address', 'txid', 'nonce'] as const
      const amount = () => `${row.amount} ${row.token} on ${row.chain}`
      return [
        formatFields(row, [...names, 'approved_by', 'reason', 'remark'], { ...label, amount }),
        formatTable(row.policy, 'No policy reports.', ['rule', 'allowed', 'used', 'limit']),
        formatTable(row.history, 'No history.', ['created_time', 'event', 'status', 'detail'], label),
      ].join('\n\n')
    },
  },
  createApiCommand(
    'withdrawal approve <number>',
    'POST withdrawals/:id/approve',
    (id, data) => approvedText(`withdrawal ${id}`, data),
    {
      help: 'approve a withdrawal, or pay an abnormal one again',
      body: () => ({}),
      asks: askAbout('withdrawal', 'Approve'),
    },
  ),
  ...declaredCommands('withdrawal'),
  createApiCommand(
    'withdrawal cancel <number> <reason>',
    'POST withdrawals/:id/cancel',
    (id, { released }) =>
      released
        ? `Withdrawal ${id} is canceled, and its amount is released.`
        : `Withdrawal ${id} is being canceled by its nonce. Its amount is released once that is final; if the payout is faster, it stays paid.`,
    { asks: askAbout('withdrawal', 'Cancel') },
  ),
  createApiCommand(
    'withdrawal paid <number> <txid>',
    'POST withdrawals/:id/paid',
    (id, data) => paidText(`withdrawal ${id}`, data),
    {
      help: 'record the transaction, sent elsewhere, that has paid an abnormal withdrawal, as after a restore',
      body: txid => ({ txid }),
      asks: askAbout('withdrawal', 'Record as paid'),
    },
  ),
  {
    usage: 'refund list',
    help: 'list refunds that wait for you: those whose transaction failed, or paid less or nothing for certain',
    run: async call =>
      formatTable(
        (await call('GET refunds')).list,
        'No refunds.',
        ['id', 'mchid', 'trade_no', 'receives', 'chain', 'address', 'created_time', 'reason'],
        { receives: row => `${row.receives} ${row.token}` },
      ),
  },
  {
    usage: 'refund approve <number>',
    help: 'pay an abnormal refund again',
    asks: askAbout('refund', 'Pay again'),
    async run(call, [id = '']) {
      const { list } = await call('GET refunds')
      const { updated_time = 0 } = list.find(each => each.id === id) ?? {}
      const answer = await call('POST refunds/:id/approve', { params: { id }, body: { updated_time } })
      return approvedText(`refund ${id}`, answer)
    },
  },
  createApiCommand(
    'refund paid <number> <txid>',
    'POST refunds/:id/paid',
    (id, data) => paidText(`refund ${id}`, data),
    {
      help: 'record the transaction, sent elsewhere, that has paid an abnormal refund, as after a restore',
      body: txid => ({ txid }),
      asks: askAbout('refund', 'Record as paid'),
    },
  ),
  ...declaredCommands('refund'),
  {
    usage: 'wallet status',
    help: 'show the wallets of each chain: next nonce, transactions under way, what they wait for',
    async run(call, _, { clock }) {
      const { list, waiting, moves } = await call('GET wallets')
      const columns = ['chain_id', 'role', 'address', 'next_nonce', 'open', 'oldest', 'state'] as const
      const wallets = formatTable(list, noWallet, columns, {
        oldest: row => (row.oldest_time === 0 ? '-' : `${clock() - row.oldest_time} s`),
        ...walletState,
      })
      const moved = moves.map(
        each =>
          `To the treasury: ${each.amount} ${each.token} on ${each.chain_id}, ${each.state.replace('_', ' ')} ${each.txid}`,
      )
      const waits = waiting.map(each => `Nonce ${each.nonce} on ${each.chain_id} waits: ${each.waits}`)
      return [wallets, ...moved, ...waits].join('\n')
    },
  },
  {
    usage: 'wallet fund',
    help: 'show the addresses to fund and what is missing',
    run: async call =>
      formatTable((await call('GET wallets')).list, noWallet, ['chain_id', 'role', 'address', 'missing'], {
        missing: row => row.waits || 'nothing',
      }),
  },
  ...declaredCommands('wallet'),
  createApiCommand(
    'wallet resume <chain> <reason>',
    'POST wallets/:id/resume',
    withPendingApprovalNotice(id => `The wallets of ${id} are resumed. Close its incident with "incident close".`),
    {
      failureText: 'The hot wallet of this chain is not halted; see "wallet status".',
      asks: async (call, [id = '']) => {
        const query = { call: 'POST /api/operator/v1/wallets/:id/resume', id } as const
        const { stopped, value, unpriced } = await call('GET stakes', { query })
        const why = stopped && ` It is halted: ${formatStoredReason(stopped, 'en')}.`
        const worth =
          value === '' ? `whose value is not known: there is no price of ${unpriced.join(', ')}` : `${value} USDT`
        return `Let the hot wallet of ${id} pay again?${why} It pays what merchants have on this chain, ${worth}.`
      },
    },
  ),
  {
    usage: 'sweep status',
    help: 'show per asset what is not swept, what issuers block of that, the sweeps under way, and those that failed in the last day',
    run: async call =>
      formatTable((await call('GET wallets')).sweeps, 'Nothing to sweep.', [
        ...(['chain_id', 'token', 'unswept', 'blocked', 'under_way', 'failed'] as const),
      ]),
  },
]
