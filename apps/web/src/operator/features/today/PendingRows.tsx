import { formatMerchantTerm, merchantTermLabels } from '@coffer/contract/labels/merchant-terms.ts'
import { isMerchantTerm } from '@coffer/contract/merchants/terms.ts'
import type { OperatorBody, OperatorData } from '@coffer/contract/operator/index.ts'
import { formatDecisionObject, formatDecisionQuestion } from '@coffer/contract/operator/names.ts'
import type { Messages } from '../../../i18n/areas.ts'
import { language } from '../../../i18n/language.ts'
import { joinList } from '../../../i18n/listed.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { Amount, Time } from '../../../ui/data/Values.tsx'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { useRead } from '../../kit/api.ts'
import { Link, MerchantLink } from '../../kit/links.tsx'
import { joinNames, useIsOneOf } from '../../kit/persons.ts'
import { RowsCard, TwoLineCell } from '../../kit/Rows.tsx'

type DecisionRequest = OperatorData<'GET /api/operator/v1/decisions'>['list'][number]

const nameOf = (t: Messages<'operator'>, request: DecisionRequest) =>
  formatDecisionQuestion(
    t.decisions[request.call],
    t.queueNames[request.object as keyof typeof t.queueNames] ?? formatDecisionObject(request, language.get()),
  )

/** What is requested, with a link to the incident or merchant that it is about. */
function Wanted({ request }: { request: DecisionRequest }) {
  const t = useMessages('operator')
  if (request.call.includes('/merchants/')) return <MerchantLink id={request.object}>{nameOf(t, request)}</MerchantLink>
  if (!request.incident) return nameOf(t, request)
  return (
    <Link to="/incidents/$id" params={{ id: request.object }}>
      {nameOf(t, request)}
    </Link>
  )
}

/** What is requested besides the name of the call, as in `risk level: pass`; terms that stay are left out. */
const whatOf = (t: Messages<'operator'>, { pair }: Messages<'common'>, { what }: DecisionRequest) =>
  joinList(
    Object.entries(what)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => {
        if (name === 'nonce') return `${t.nonce} ${value}`
        return isMerchantTerm(name)
          ? pair(merchantTermLabels[language.get()][name], formatMerchantTerm(language.get(), name, Number(value)))
          : String(t.risks[value as keyof typeof t.risks] ?? value)
      }),
  )

/** What waits for a second operator, each with the button that agrees. */
export default function PendingRows() {
  const t = useMessages('operator')
  const common = useMessages('common')
  const read = useRead('GET /api/operator/v1/decisions', {})
  return (
    <RowsCard
      title={t.waitsForSecond}
      className="mb-4"
      columns={[
        {
          title: t.isWanted,
          sticky: 'start',
          cell: row => <TwoLineCell first={<Wanted request={row} />} second={whatOf(t, common, row)} />,
        },
        { title: t.stake, align: 'end', cell: row => <Amount value={row.value} unit="USDT" /> },
        { title: t.askedBy, cell: row => <TwoLineCell first={joinNames(row.who)} second={row.reason} /> },
        { title: t.until, cell: row => <Time seconds={row.ends_time} /> },
      ]}
      rowActions={row => <Agree request={row} />}
      read={read}
      by={['call', 'object', 'asked_time']}
      empty={t.noLog}
    >
      <p className="-mt-2 px-5 pb-3 text-[13px] text-ink-2">{t.waitsForSecondText}</p>
    </RowsCard>
  )
}

/** Sends the same call; nothing for whoever has requested it already. */
function Agree({ request }: { request: DecisionRequest }) {
  const t = useMessages('operator')
  const common = useMessages('common')
  const isOneOf = useIsOneOf()
  const { call, object, what, who } = request
  const changes = whatOf(t, common, request)
  if (isOneOf(who) !== false) return null
  return (
    <ActionButton
      call={call}
      params={{ id: object }}
      label={t.agree}
      text={changes ? common.pair(nameOf(t, request), changes) : nameOf(t, request)}
      known={what as Partial<OperatorBody<DecisionRequest['call']>>}
      look="secondary"
    />
  )
}
