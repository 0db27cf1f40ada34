import { formatStoredReason } from '@coffer/contract/incidents/reasons.ts'
import { isEmail } from '@coffer/contract/kit/validators.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { pausableQueues } from '@coffer/contract/operator/operations.ts'
import { listOpenIncidents } from '../domains/chains/store.ts'
import { checkLedger } from '../domains/ledger/check-ledger.ts'
import { Refusal } from '../kit/refusal.ts'
import { mailProblem } from '../outside/mail.ts'
import { createApiCommand, describeAffectedItems, describePendingApproval } from './act.ts'
import type { OperatorCall } from './call.ts'
import {
  type Command,
  CommandFailure,
  formatFields,
  formatTable,
  formatUtcTime,
  underscoresToSpaces,
} from './command.ts'
import { declaredCommands } from './declared.ts'
import { formatIncidentFacts } from './incidents.ts'

type Liquidity = OperatorData<'GET /api/operator/v1/liquidity'>['list'][number]

const delays: Record<string, string> = {
  unreachable: 'nodes unreachable, behind or in disagreement',
  behind: 'catching up',
  stalled: 'no new block from its nodes',
}

function stateOf(chain: OperatorData<'GET /api/operator/v1/chains'>['list'][number]): string {
  if (chain.halted) return formatStoredReason(chain.halted, 'en')
  if (!chain.enabled) return 'disabled'
  return chain.delay ? `delayed: ${delays[chain.delay]}` : 'up to date'
}

/** Why a queue is paused, and since when; null while it runs. */
const pauseOf = async (call: OperatorCall, name: string) =>
  (await call('GET queues')).queues.find(each => each.queue === name)?.pause ?? null

/** Incidents that mean a difference between ledger and chain. */
const differences = ['shortage', 'surplus', 'native_missing', 'undone_deposit_is_back', 'deposit_changed']

/** An incident in words: what, where and when, and each fact in a line. */
async function incidentText(
  call: OperatorCall,
  { id, kind, chain, created_time }: { id: string; kind: string; chain: string; created_time: number },
): Promise<string> {
  const { chain_name, parts } = await call('GET incidents/:id', { params: { id } })
  const part = parts.find(each => each.id === id)
  const head = `Incident ${id}: ${underscoresToSpaces(kind)} on ${chain_name || chain || '-'}, ${formatUtcTime(created_time)}`
  return [head, ...(part ? formatIncidentFacts(part) : [])].join('\n')
}

/** A row that violates an invariant, as `name: value` of each column. */
const rowText = (row: unknown) =>
  `  ${Object.entries(row as object)
    .map(([name, value]) => `${underscoresToSpaces(name)}: ${value}`)
    .join(', ')}`

/** A transaction hash without its prefix, in lower case. */
const bare = (txid: string) => txid.toLowerCase().replace(/^0x/, '')

const depositStakes = (call: OperatorCall, id: string) =>
  call('GET stakes', { query: { call: 'POST /api/operator/v1/deposits/:id/undo', id } })

const names = pausableQueues.join('|')

export const operationCommands: Command[] = [
  {
    usage: 'chain status',
    help: 'show how far each chain is read, and what needs an operator',
    async run(call, _, { clock }) {
      const stopped = await pauseOf(call, 'withdrawals')
      const data = await call('GET chains')
      const columns = ['id', 'network', 'read', 'head', 'final', 'answered', 'state'] as const
      const chains = formatTable(data.list, 'No chains.', columns, {
        network: row => row.name ?? row.id,
        read: row => String(row.read ?? '-'),
        answered: row => (row.read_time === 0 ? 'never' : `${clock() - row.read_time} s ago`),
        state: stateOf,
      })
      const found = await Promise.all(data.incidents.map(each => incidentText(call, each)))
      const pause =
        stopped &&
        `Withdrawals have been stopped since ${formatUtcTime(stopped.since)}: ${formatStoredReason(stopped.reason, 'en')}`
      return { text: [chains, ...(pause ? [pause] : []), ...found].join('\n\n'), data }
    },
  },
  createApiCommand(
    'chain resume <chain> <reason>',
    'POST chains/:id/resume',
    (id, data) =>
      describePendingApproval(data) ?? `${id} resumes from block ${data.number}${data.hash && ` (${data.hash})`}.`,
    {
      failureText: 'No chain with this id is halted by a deep reorg; see "chain status".',
      asks: async (call, [id = '']) => {
        const of = await describeAffectedItems(call, 'POST /api/operator/v1/chains/:id/resume', id)
        return `Resume ${id}? Deposits in doubt that you did not undo stay credited${of}.`
      },
    },
  ),
  {
    usage: 'chain reread <chain> <block> [apply]',
    asks: (_, [id, block, mode]) =>
      mode === 'apply' ? `Repair what differs on ${id} from block ${block} on: deposits are credited or reversed?` : '',
    help: 'compare final blocks with the deposits in them and show what differs; with "apply", repair it',
    async run(call, [id = '', block = '', mode = '']) {
      if (mode !== '' && mode !== 'apply') throw new Refusal('parameter_error', { field: 'apply' })
      if (!/^\d{1,12}$/.test(block)) throw new Refusal('parameter_error', { field: 'chain or block' })
      const body = { block: Number(block), apply: mode === 'apply' }
      await call('POST chains/:id/reread', { params: { id }, body })
      const next = mode === '' ? '; "chain status" then shows what "apply" would change' : ' and repaired'
      return `${id} will be read again from block ${block} to its last final block${next}.`
    },
  },
  {
    usage: 'deposit show <deposit|txid>',
    help: 'show a deposit by its number, as incidents name it, or all of a transaction',
    async run(call, [text = '']) {
      const { list } = await call('GET payments', { query: { text } })
      const payments = await Promise.all(list.map(each => call('GET payments/:id', { params: { id: each.trade_no } })))
      const of = payments.flatMap(({ mchid, trade_no, chain_confirmation_information: deposits }) =>
        deposits.filter(each => bare(each.txid) === bare(text)).map(each => ({ mchid, trade_no, ...each })),
      )
      const names = ['mchid', 'trade_no', 'amount', 'token', 'chain', 'txid'] as const
      if (of.length > 0)
        return {
          text: of
            .map(each =>
              formatFields(each, [
                ...names,
                ...(['to_address', 'from_address', 'state', 'late', 'held', 'seen_time', 'confirmation_time'] as const),
                ...(['confirmations', 'required_confirmations'] as const),
              ]),
            )
            .join('\n\n'),
          data: { list: of },
        }
      const { deposit, asked: requests } = await depositStakes(call, text)
      const people = requests.flatMap(each => each.who.map(({ email }) => email)).join(', ')
      return [
        formatFields(deposit!, [...names, 'block']),
        ...(people ? [`${people} asked to take it back; another operator must, too.`] : []),
      ].join('\n')
    },
  },
  ...declaredCommands('deposit'),
  ...declaredCommands('asset'),
  {
    usage: 'ledger check',
    help: 'verify the ledger, list open differences to the chains, and show the sums of each asset',
    async run(call, _, deps) {
      const [violated, incidents] = await Promise.all([checkLedger(deps), listOpenIncidents(deps.pool, differences)])
      const differ = incidents.map(({ id, kind, chain_id, created_at }) =>
        incidentText(call, { id, kind, chain: chain_id ?? '', created_time: created_at }),
      )
      const findings = [
        ...violated.flatMap(({ invariant, rows }) => [`Violated: ${invariant}`, ...rows.map(rowText)]),
        ...(differ.length > 0 ? ['Ledger and chain differ.'] : []),
        ...(await Promise.all(differ)),
      ]
      if (findings.length > 0) throw new CommandFailure(findings.join('\n'))
      const data = await call('GET liquidity')
      const columns = [
        'chain',
        'token',
        'owed',
        'reserved',
        'wallet',
        'unswept',
        'blocked',
        'treasury',
        'state',
      ] as const
      const sums = formatTable(data.list, '', columns, { wallet: row => row.balance || 'no answer' })
      const namesOf = (rows: Liquidity[]) => rows.map(({ chain, token }) => `${chain} ${token}`).join(', ')
      const silent = data.list.filter(row => row.balance === '')
      if (silent.length > 0) {
        const text = `The ledger itself is consistent, but wallets did not answer, so nobody knows whether their chains differ: ${namesOf(silent)}.`
        throw new CommandFailure(`${text}\n\n${sums}`)
      }
      const old = data.list.filter(row => row.state === 'unknown')
      const but = old.length > 0 && `Not compared with the chain lately: ${namesOf(old)}.`
      const text = 'The ledger is consistent, and no difference between ledger and chain is open.'
      return { text: [text, but, sums].filter(Boolean).join('\n\n'), data }
    },
  },
  {
    usage: 'withdrawals resume <reason>',
    help: 'resume withdrawals stopped by a difference between ledger and chain',
    async asks(call) {
      const stopped = await pauseOf(call, 'withdrawals')
      return `Resume withdrawals?${stopped ? ` They were stopped because of ${formatStoredReason(stopped.reason, 'en')}.` : ''}`
    },
    async run(call, words) {
      const stopped = await pauseOf(call, 'withdrawals')
      if (!stopped) return 'Withdrawals are not stopped.'
      const body = { reason: words.join(' ') }
      const answer = await call('POST queues/:id/resume', { params: { id: 'withdrawals' }, body })
      return (
        describePendingApproval(answer) ??
        `Withdrawals are resumed. They were stopped because of ${formatStoredReason(stopped.reason, 'en')}.`
      )
    },
  },
  ...declaredCommands('queue'),
  {
    usage: `queue resume <${names}> <reason>`,
    help: 'resume a paused queue',
    asks: (_, [name]) => `Resume the ${name}?`,
    async run(call, [name = '', ...words]) {
      const paused = await pauseOf(call, name)
      const id = name as (typeof pausableQueues)[number]
      const answer = await call('POST queues/:id/resume', { params: { id }, body: { reason: words.join(' ') } })
      return describePendingApproval(answer) ?? (paused ? `The ${name} are resumed.` : `The ${name} are not paused.`)
    },
  },
  {
    usage: 'queue list',
    help: 'show which queues are paused, and why, what waits in them and what failed',
    run: async call =>
      formatTable((await call('GET queues')).queues, '', ['queue', 'state', 'waiting', 'failed'], {
        state: row =>
          row.pause
            ? `paused since ${formatUtcTime(row.pause.since)}: ${formatStoredReason(row.pause.reason, 'en')}`
            : 'running',
      }),
  },
  {
    usage: 'mail test <address>',
    help: 'send a test mail, to see that mail works',
    async run(_, [to = ''], { mail, config }) {
      if (!isEmail(to)) throw new Refusal('bad_email', { field: to })
      if (config.mode === 'sandbox') return 'The sandbox sends no mail: it shows every mail on its page /sandbox.'
      const text = `This mail shows that Coffer at ${config.publicUrl} can send mail.\n`
      await mail.send({ to, subject: 'Coffer: test mail', text }).catch(error => {
        throw new CommandFailure(mailProblem(error))
      })
      return `The mail server accepted a mail to ${to} from ${config.mailFrom}. See whether it arrives, also among spam.`
    },
  },
]
