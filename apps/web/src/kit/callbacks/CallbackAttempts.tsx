import type { CallbackFailure } from '@coffer/contract'
import type { RouteData } from '../../api/index.ts'
import { formatCount } from '../../i18n/format.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useCell } from '../../lib/useCell.ts'
import { cx } from '../../ui/classes.ts'
import { Time } from '../../ui/data/Values.tsx'
import { formatAttemptResult } from './looks.ts'

type Attempt = RouteData<'GET /api/v1/callback/detail'>['attempt_list'][number]

/** Nothing was sent, which is no failure and took no time. */
const withheld = 'not_paid' satisfies CallbackFailure
const succeeded = (result: string) => /^HTTP 2\d\d$/.test(result)

/** All attempts, newest first, with the response of the merchant's server. */
export function CallbackAttempts({ attempts }: { attempts: readonly Attempt[] }) {
  const t = useMessages('callbacks')
  const inLanguage = useCell(language)
  if (attempts.length === 0) return <p className="text-[13px] text-ink-3">{t.notTried}</p>
  return (
    <ol className="divide-y divide-line border-y border-line text-[13px]">
      {attempts.map((attempt, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: numbered from the oldest, so keys are stable
        <li key={attempts.length - index} className="py-2.5">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="font-medium">
              {t.attempt(attempts.length - index)}
              {attempt.manual && <span className="ml-2 text-xs font-normal text-ink-3">{t.manual}</span>}
            </span>
            <span
              className={cx(
                'num',
                succeeded(attempt.result) ? 'text-good' : attempt.result === withheld ? 'text-ink-2' : 'text-bad',
              )}
            >
              {formatAttemptResult(attempt.result, t)}
            </span>
          </div>
          <div className="flex flex-wrap justify-between gap-x-4 text-xs text-ink-3">
            <Time seconds={attempt.time} />
            {attempt.result !== withheld && (
              <span className="num">{t.duration(formatCount(attempt.duration_ms, inLanguage))}</span>
            )}
          </div>
          <Text title={t.sent} text={attempt.sent} />
          <Text title={t.answer} text={attempt.answer} />
        </li>
      ))}
    </ol>
  )
}

function Text({ title, text }: { title: string; text: string }) {
  if (!text) return null
  return (
    <details className="mt-1">
      <summary className="w-fit rounded-sm text-xs text-accent-text">{title}</summary>
      <pre className="mt-1 rounded-lg bg-sunken px-3 py-2 font-mono text-xs whitespace-pre-wrap break-all">{text}</pre>
    </details>
  )
}
