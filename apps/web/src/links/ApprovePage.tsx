/** @jsxImportSource preact */
import type { RouteData } from '@coffer/contract'
import { useEffect, useState } from 'preact/hooks'
import { formatPayersTime } from '../i18n/format.ts'
import { buttonClass, controlClass, cx } from '../ui/classes.ts'
import { callPublicApi } from '../visitor/call.ts'
import type { VisitorPageProps } from '../visitor/open.tsx'
import { exactAmount, GroupedText, useHeadingFocus, useTitle } from '../visitor/parts.tsx'
import {
  DetailList,
  type DetailRow,
  Field,
  LinkPageCard,
  LinkPagePlaceholder,
  Problem,
  useCallResult,
  useProblem,
} from './parts.tsx'

type Approval = RouteData<'POST /api/v1/public/withdrawal-approval'>
type Words = typeof import('../i18n/en/approve.ts').default

const path = 'public/withdrawal-approval'

/** Shows the withdrawal of a link, and lets its approver decide with a code. */
export function ApprovePage({ token, t, frame }: VisitorPageProps<Words>) {
  const {
    data: known,
    setData: setKnown,
    ...reading
  } = useCallResult(() => callPublicApi<Approval>(path, { token }), t.offline)
  useTitle(t.title)
  useHeadingFocus(known?.state)
  if (!known) return <LinkPagePlaceholder frame={frame} t={t} {...reading} />
  const { state } = known
  // The rules that are the reason come first.
  const policy = known.policy.toSorted((a, b) => Number(a.allowed) - Number(b.allowed))
  const isOpen = state === 'open'
  const inToken = (value: string) => `${exactAmount(value)} ${known.token}`
  // Of one that is not sent nothing arrives.
  const isSent = isOpen || state === 'approved'
  const receives: DetailRow = [t.receives, <strong key="receives">{inToken(known.receives)}</strong>]
  return (
    <LinkPageCard {...frame} title={t.titles[state]} text={isOpen ? t.text(known.merchant) : t.texts[state]}>
      <DetailList
        rows={[
          ...(isSent ? [receives] : []),
          [t.network, known.chain],
          [t.address, <GroupedText key="address" value={known.address} />, 'below'],
          [t.amount, inToken(known.amount)],
          ...(isSent ? [[t.costs, `${exactAmount(known.fee)} + ${inToken(known.gas)}`] satisfies DetailRow] : []),
          ...(known.token === 'USDT' ? [] : [[t.value, `${exactAmount(known.usdt_value)} USDT`] satisfies DetailRow]),
          [t.requester, known.requester],
          [t.requested, formatPayersTime(known.created_time)],
          ...(known.remark ? [[t.remark, known.remark] satisfies DetailRow] : []),
          ...(isOpen ? [[t.expires, formatPayersTime(known.expire_time)] satisfies DetailRow] : []),
        ]}
      />
      {isOpen && (
        <>
          <section>
            <h2 class="text-[13px] font-semibold text-ink-2">{t.policy}</h2>
            <ul class="mt-1 text-[13px]">
              {policy.map((each, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rules have no identity
                <li key={index} class="flex justify-between gap-4 py-1">
                  <span>
                    {each.of_platform ? t.ofPlatform(t.rules[each.rule]) : t.rules[each.rule]}
                    {each.limit && (
                      <span class="num block text-xs text-ink-3">
                        {each.rule === 'approval' || each.rule === 'fresh_factor'
                          ? t.above[each.per === 'merchant' ? 'merchant' : 'destination'](
                              exactAmount(each.limit),
                              exactAmount(each.used || '0'),
                            )
                          : each.seconds > 0
                            ? t.within(exactAmount(each.limit), t.period(Math.round(each.seconds / 3_600)))
                            : `${exactAmount(each.limit)}\u00a0USDT`}
                      </span>
                    )}
                  </span>
                  <span class={cx('whitespace-nowrap', each.allowed ? 'text-good' : 'text-ink')}>
                    {each.allowed ? t.allowed : t.required}
                  </span>
                </li>
              ))}
            </ul>
          </section>
          <Decide token={token} email={known.email} t={t} onDecided={setKnown} />
        </>
      )}
    </LinkPageCard>
  )
}

interface DecideProps {
  token: string
  email: string
  t: Words
  onDecided(approval: Approval): void
}

function Decide({ token, email, t, onDecided }: DecideProps) {
  const [code, setCode] = useState('')
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const { problem, error, refuse, marked } = useProblem('code')
  const { wait, request } = useCodeRequest(token)
  const send = async () => {
    setBusy(true)
    refuse(await request(t.offline))
    setBusy(false)
  }
  const decide = async (decision: 'approve' | 'reject') => {
    if (busy) return
    if (!/^\d{6}$/.test(code)) return refuse(t.codeNeeded, 'code')
    setBusy(true)
    const answer = await callPublicApi<Approval>(`${path}/decide`, { token, decision, code, reason })
    setBusy(false)
    if (answer.ok) onDecided(answer.data)
    else refuse(answer.message || t.offline, answer.field)
  }
  return (
    <form
      class="flex flex-col gap-4 border-t border-line pt-4"
      onSubmit={event => {
        event.preventDefault()
        void decide('approve')
      }}
    >
      <Field id="code" label={t.code} hint={t.codeHint(email)} error={error}>
        <div class="flex gap-2">
          <input
            id="code"
            class={`${controlClass} num w-full`}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
            aria-describedby="code-hint"
            {...marked}
            value={code}
            onInput={event => setCode(event.currentTarget.value.trim())}
          />
          <button
            type="button"
            class={`${buttonClass('secondary')} shrink-0`}
            disabled={busy || wait > 0}
            onClick={() => void send()}
          >
            {wait > 0 ? t.resendIn(wait) : t.sendCode}
          </button>
        </div>
      </Field>
      <Problem text={problem} />
      <Field id="reason" label={t.reason}>
        <input
          id="reason"
          class={`${controlClass} w-full`}
          maxLength={200}
          value={reason}
          onInput={event => setReason(event.currentTarget.value)}
        />
      </Field>
      <Verdict busy={busy} t={t} onReject={() => void decide('reject')} />
    </form>
  )
}

/** Has a code mailed. Returns how long (s) until the next may be, and the request, which resolves with what failed. */
function useCodeRequest(token: string) {
  const [wait, setWait] = useState(0)
  useEffect(() => {
    if (wait <= 0) return
    const timer = setTimeout(() => setWait(wait - 1), 1_000)
    return () => clearTimeout(timer)
  }, [wait])
  const request = async (offline: string): Promise<string> => {
    const answer = await callPublicApi<{ resend_after: number }>(`${path}/code`, { token })
    setWait(answer.ok ? answer.data.resend_after : (answer.retryAfter ?? 0))
    return answer.ok ? '' : answer.message || offline
  }
  return { wait, request }
}

const Verdict = ({ busy, t, onReject }: { busy: boolean; t: Words; onReject(): void }) => (
  <div class="flex flex-wrap gap-3">
    <button type="submit" class={`${buttonClass('primary', 'large')} flex-1`} disabled={busy}>
      {t.approve}
    </button>
    <button type="button" class={`${buttonClass('secondary', 'large')} flex-1`} disabled={busy} onClick={onReject}>
      {t.reject}
    </button>
  </div>
)
