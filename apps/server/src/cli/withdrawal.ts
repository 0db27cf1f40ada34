import { nameOf, type WithdrawalState, withdrawalStatus } from '@coffer/contract/codes.ts'
import { withdrawalLabels } from '@coffer/contract/labels.ts'
import { isText } from '@coffer/contract/validators.ts'
import type { Deps } from '../deps.ts'
import { approveWithdrawal, rejectWithdrawal, stopWithdrawal } from '../domains/withdrawals/decide-withdrawal.ts'
import { readAnyWithdrawal, withdrawalsInStates } from '../domains/withdrawals/list.ts'
import { presentWithdrawal } from '../domains/withdrawals/present.ts'
import { readEvents } from '../domains/withdrawals/store.ts'
import { Refusal } from '../kit/refusal.ts'
import { person } from './audit.ts'
import { type Command, table, timeText } from './command.ts'

/** States listed by `withdrawal list <group>`. */
const groups: Record<string, WithdrawalState[]> = {
  waiting: ['auditing', 'abnormal'],
  sending: ['transferring', 'confirming'],
  ended: ['accomplished', 'audit_rejected', 'canceled'],
}

const labelOf = (status: number) => withdrawalLabels.en[nameOf(withdrawalStatus, status)!]

/** Requires a reason, because the merchant reads it. */
export function reasonOf(words: string[]): string {
  const reason = words.join(' ').trim()
  if (!isText(reason) || reason.length > 200) throw new Refusal('text_needed', { field: 'reason' })
  return reason
}

export const withdrawalCommands: Command[] = [
  {
    usage: 'withdrawal list [waiting|sending|ended]',
    help: 'list withdrawals: those that wait for you (auditing, abnormal), by default, or others',
    async run({ pool }, [group = 'waiting']) {
      const states = Object.hasOwn(groups, group) ? groups[group] : undefined
      if (!states) throw new Refusal('parameter_error', { field: group })
      const rows = await withdrawalsInStates(
        pool,
        states.map(state => withdrawalStatus[state]),
      )
      if (rows.length === 0) return 'No withdrawals.'
      return table(
        ['NUMBER', 'MCHID', 'STATUS', 'AMOUNT', 'NETWORK', 'TO', 'SINCE', 'REASON'],
        rows.map(row => {
          const { amount, token, chain, address, status, reason, created_time } = presentWithdrawal(row)
          const mchid = row.mchid ?? ''
          return [row.id, mchid, labelOf(status), `${amount} ${token}`, chain, address, timeText(created_time), reason]
        }),
      )
    },
  },
  {
    usage: 'withdrawal show <number>',
    help: 'show a withdrawal with its policy reports and history',
    async run({ pool }, [id = '']) {
      const row = await readAnyWithdrawal(pool, id)
      if (!row) throw new Refusal('withdrawal_not_exist', { field: id })
      const { status, ...shown } = presentWithdrawal(row)
      const history = await readEvents(pool, row.merchant_id, id)
      const { amount, fee, gas, receives, token, chain, address, txid, reason, remark } = shown
      return [
        table(
          ['FIELD', 'VALUE'],
          Object.entries({
            number: id,
            merchant: row.mchid ?? '',
            status: labelOf(status),
            amount: `${amount} ${token} on ${chain}`,
            fee,
            gas,
            receives,
            to: address,
            transaction: txid,
            nonce: row.out_nonce === null ? '' : String(row.out_nonce),
            approved: row.approved_by,
            reason,
            remark,
          }),
        ),
        table(
          ['RULE', 'ALLOWED', 'USED', 'LIMIT'],
          row.policy.map(report => [report.rule, report.allowed ? 'yes' : 'no', report.used, report.limit]),
        ),
        table(
          ['TIME', 'EVENT', 'STATUS', 'DETAIL'],
          history.map(step => [timeText(step.created_at), step.event, labelOf(step.status), step.detail]),
        ),
      ].join('\n\n')
    },
  },
  {
    usage: 'withdrawal approve <number>',
    help: 'approve a withdrawal, or pay an abnormal one again',
    async run(deps, [id = '']) {
      const { waits } = await approveWithdrawal(deps, { id, who: person() })
      return waits
        ? `Your approval of withdrawal ${id} is recorded. A second operator must approve it, too.`
        : `Withdrawal ${id} is queued to be sent.`
    },
  },
  {
    usage: 'withdrawal reject <number> <reason>',
    help: 'reject a withdrawal that waits for approval; its amount is released',
    async run(deps, [id = '', ...words]) {
      await rejectWithdrawal(deps, { id, reason: reasonOf(words) })
      return `Withdrawal ${id} is rejected.`
    },
  },
  {
    usage: 'withdrawal cancel <number> <reason>',
    help: 'cancel a withdrawal: at once, or by its nonce once it was sent',
    run: cancel,
  },
]

async function cancel(deps: Deps, [id = '', ...words]: string[]): Promise<string> {
  const released = await stopWithdrawal(deps, { id, reason: reasonOf(words) })
  return released
    ? `Withdrawal ${id} is canceled, and its amount is released.`
    : `Withdrawal ${id} is being canceled by its nonce. Its amount is released once that is final; if the payout is faster, it stays paid.`
}
