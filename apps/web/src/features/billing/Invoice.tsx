import '../../kit/print.css'
import type { RouteData } from '@coffer/contract'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useSubmit } from '../../kit/useSubmit.ts'
import { formatWallTime } from '../../lib/days.ts'
import { cardClass, cx } from '../../ui/classes.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { DetailList } from '../../ui/data/DetailList.tsx'
import { Time } from '../../ui/data/Values.tsx'
import { Loading } from '../../ui/feedback/States.tsx'
import { Icon } from '../../ui/icons.tsx'
import { ProductLogo } from '../../ui/ProductLogo.tsx'
import { BillLines } from './BillLines.tsx'

/** The invoice of a month as a sheet of paper, to print: the latest version, or an earlier one. */
export function Invoice({ month, version }: { month: string; version: string | undefined }) {
  const t = useMessages('billing')
  const { data, error, refetch } = useQuery(
    apiQuery('GET /api/v1/account/invoice', { query: { month, ...(version !== undefined && { version }) } }),
  )
  const correct = useSubmit('POST /api/v1/account/invoice/correct', {
    ask: { title: t.correct, text: t.correctText, action: t.correct },
    refreshes: ['GET /api/v1/account/invoice', 'GET /api/v1/account/invoices'],
    done: t.correctDone,
  })
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <Link to="/billing" search={{}} className="inline-flex items-center gap-1 text-[13px] pointer-coarse:min-h-11">
          <Icon name="chevronLeft" size={14} />
          {t.back}
        </Link>
        <span className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:grow">
          <Button
            call="POST /api/v1/account/invoice/correct"
            busy={correct.isPending}
            disabled={data?.corrected_by !== ''}
            onClick={() => correct.mutate({ body: { month } })}
          >
            {t.correct}
          </Button>
          <Button look="primary" icon="download" disabled={!data} onClick={() => print()}>
            {t.print}
          </Button>
        </span>
      </div>
      <article className={cx(cardClass, 'print-sheet mx-auto max-w-3xl px-6 py-8 sm:px-12')}>
        {data === undefined ? <Loading of={{ error, refetch }} className="h-96 w-full" /> : <Sheet invoice={data} />}
      </article>
    </>
  )
}

type InvoiceData = RouteData<'GET /api/v1/account/invoice'>

function Sheet({ invoice }: { invoice: InvoiceData }) {
  const t = useMessages('billing')
  const day = (seconds: number) => formatWallTime(seconds, 'UTC').slice(0, 10)
  return (
    <>
      <Head invoice={invoice} />
      <div className="my-6">
        <DetailList
          rows={[
            [t.merchant, invoice.mchid],
            [t.taxNumber, invoice.details.tax_number],
            [
              t.period,
              <span
                key="period"
                className="num"
              >{`${day(invoice.start_time)} – ${day(invoice.end_time - 1)} (UTC)`}</span>,
            ],
            [t.issued, <Time key="issued" seconds={invoice.issued_time} />],
          ]}
        />
      </div>
      <BillLines {...invoice} />
      <p className="mt-8 text-[13px] text-ink-3">{t.balance}</p>
    </>
  )
}

/** Whose invoice it is, and its other versions. */
function Head({ invoice }: { invoice: InvoiceData }) {
  const t = useMessages('billing')
  const { productName } = useMessages('common')
  return (
    <header className="flex flex-wrap items-start justify-between gap-6">
      <div>
        <div className="flex items-center gap-2 font-semibold">
          <ProductLogo /> {productName}
        </div>
        <h1 className="mt-6 text-2xl font-semibold">{t.invoice}</h1>
        <p className="num text-sm text-ink-2">{invoice.number}</p>
        {invoice.corrects && <Version {...invoice} step={-1} text={t.corrected(invoice.corrects)} />}
        {invoice.corrected_by && <Version {...invoice} step={1} text={t.correctedBy(invoice.corrected_by)} />}
      </div>
      <address className="text-sm not-italic">
        <div className="text-[13px] text-ink-3">{t.to}</div>
        <div className="font-medium">{invoice.details.name || invoice.mchid}</div>
        <div className="max-w-72 whitespace-pre-line text-ink-2">{invoice.details.address}</div>
      </address>
    </header>
  )
}

/** A link to the version before or after this one. */
const Version = ({ month, version, step, text }: { month: string; version: number; step: 1 | -1; text: string }) => (
  <p className="text-[13px]">
    <Link to="/billing" search={{ invoice: month, version: String(version + step) }}>
      {text}
    </Link>
  </p>
)
