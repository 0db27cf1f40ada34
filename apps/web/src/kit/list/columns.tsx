import { mask } from '@coffer/contract/kit/texts.ts'
import type { ReactNode } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { linkClass } from '../../ui/classes.ts'
import { OutsideLink } from '../../ui/controls/Link.tsx'
import { CopyButton, CopyText } from '../../ui/data/CopyText.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import type { TransactionHashProps } from '../../ui/data/TransactionHash.tsx'
import { DayAndClock, TwoLines } from '../../ui/data/TwoLines.tsx'
import { Amount } from '../../ui/data/Values.tsx'
import { Badge, type BadgeKind } from '../../ui/feedback/Badge.tsx'
import { ChainLogo, TokenLogo } from '../../ui/logos/Logo.tsx'
import type { ListCall, ListDeclaration, ListRow, SearchRules } from './search.ts'

type More<R> = Partial<Column<R>>

/** States the columns of a list: their rows are those of its call. */
export const defineListColumns = <K extends ListCall, R extends SearchRules>(
  _list: ListDeclaration<K, R>,
  columns: Column<ListRow<K>>[],
): Column<ListRow<K>>[] => columns

/** A state as a badge: its display class and its name. `under` is a text below. */
export const stateColumn = <R,>(
  title: string,
  of: (row: R) => [kind: BadgeKind, name: string],
  { under, ...more }: More<R> & { under?(row: R): ReactNode } = {},
): Column<R> => ({
  title,
  cell: row => {
    const [kind, name] = of(row)
    const badge = <Badge kind={kind}>{name}</Badge>
    return under ? <TwoLines first={badge} second={under(row)} /> : badge
  },
  ...more,
})

/** A time (unix seconds), as day and clock. */
export const timeColumn = <R,>(title: string, of: (row: R) => number, more?: More<R>): Column<R> => ({
  title,
  cell: row => <DayAndClock seconds={of(row)} />,
  ...more,
})

interface AmountOf {
  value: string
  unit?: string
  flow?: 'in' | 'out'
}

interface AmountOptions {
  /** The amount that the list is about. */
  isMain?: boolean
  /** Aligned with the first line of the cells beside it. */
  isOnTop?: boolean
}

interface PhoneUnit<R> {
  /** The unit on a phone, which a table has in another column. */
  phoneUnit?(row: R): string
}

/** An amount, with decimal points below each other. */
export const amountColumn = <R,>(
  title: ReactNode,
  of: (row: R) => AmountOf,
  { isMain, isOnTop, phoneUnit, ...more }: More<R> & AmountOptions & PhoneUnit<R> = {},
): Column<R> => ({
  title,
  align: 'end',
  amount: of,
  ...(isOnTop && { className: 'align-top leading-7' }),
  cell: row => <Amount column {...of(row)} {...(isMain && { className: 'font-medium' })} />,
  ...(phoneUnit && { phoneCell: row => <Amount {...of(row)} unit={phoneUnit(row)} /> }),
  ...more,
})

/** An amount with its token's logo, and a text below. */
export const tokenAmountColumn = <R extends { token: string }>(
  title: string,
  of: (row: R) => { value: string; unit: string },
  under: (row: R) => ReactNode,
  more?: More<R>,
): Column<R> => ({
  title,
  align: 'end',
  amount: of,
  picture: row => row.token !== '' && <TokenLogo token={row.token} size={36} />,
  // The logo stands beside it, and nothing below it to be aligned with.
  phoneCell: row => <TwoLines first={<Amount {...of(row)} className="font-medium" />} second={under(row)} />,
  cell: row => (
    <TwoLines
      end
      first={
        <span className="inline-flex items-center gap-1.5">
          {row.token !== '' && <TokenLogo token={row.token} size={16} />}
          <Amount column {...of(row)} className="font-medium" />
        </span>
      }
      second={under(row)}
    />
  ),
  ...more,
})

/** A token's logo beside two lines, which default to the token and its chain. */
export const tokenColumn = <R extends { token: string; chain: string }>(
  title: string,
  { lines, ...more }: More<R> & { lines?(row: R): [first: string, second: string] } = {},
): Column<R> => ({
  title,
  picture: row => <TokenLogo token={row.token} size={36} />,
  // The token stands beside the amount.
  phoneCell: row => row.chain,
  cell: row => {
    const [first, second] = lines?.(row) ?? [row.token, row.chain]
    return (
      <span className="inline-flex items-center gap-2.5 align-middle whitespace-nowrap">
        <TokenLogo token={row.token} size={20} />
        <span>
          <TwoLines first={first} second={second} />
        </span>
      </span>
    )
  },
  ...more,
})

/** A chain with its network. */
export const chainColumn = <R extends { chain: string; net_work: string }>(
  title: string,
  more?: More<R>,
): Column<R> => ({
  title,
  cell: row => (
    <span className="inline-flex items-center gap-2 align-middle whitespace-nowrap">
      <ChainLogo chain={row.chain} />
      {/* Phones set the cell in a line of text. */}
      {row.chain} <span className="text-ink-3">{row.net_work}</span>
    </span>
  ),
  ...more,
})

/** A value to copy, such as an address, a transaction or a number; masked unless `look` says otherwise. */
export const copyColumn = <R,>(
  title: string,
  of: (row: R) => string,
  { look, ...more }: More<R> & { look?: 'whole' | 'groups' } = {},
): Column<R> => ({
  title,
  cell: row => <CopyText value={of(row)} label={title} {...(look && { look })} />,
  ...more,
})

/** Two values to copy, one below the other, each with its name. */
export const copyPairColumn = <R,>(
  title: string,
  of: (row: R) => [first: [name: string, value: string], second: [name: string, value: string]],
): Column<R> => ({
  title,
  cell: row => {
    const [[first, above], [second, below]] = of(row)
    return (
      <TwoLines first={<CopyText value={above} label={first} />} second={<CopyText value={below} label={second} />} />
    )
  },
})

/** What can be done with a row, at the end of the table. */
export const actionsColumn = <R,>(cell: (row: R) => ReactNode): Column<R> => ({
  title: <ActionsTitle />,
  isActions: true,
  sticky: 'end',
  align: 'end',
  cell,
})

const ActionsTitle = () => <span className="sr-only">{useMessages('common').actions}</span>

/** Text on one line, cut off at a width; the tooltip has all of it. */
export const TruncatedText = ({
  width,
  className,
  children,
}: {
  width: string
  className?: string
  children: string
}) => (
  <span className={`block truncate ${width} ${className ?? ''}`} title={children}>
    {children}
  </span>
)

interface OpensRowProps {
  value: string
  /** A name, shown in place of the number. */
  title?: string
  label: string
  /** Read by screen readers before the value. */
  open: string
  onOpen(): void
}

/** The masked number of a row, which opens its details and can be copied. */
export const OpenRowButton = ({ value, title, label, open, onOpen }: OpensRowProps) => (
  <span className="inline-flex items-center gap-0.5">
    <button
      type="button"
      title={title || value}
      className={`${linkClass} num max-w-48 truncate font-medium`}
      onClick={onOpen}
    >
      <span className="sr-only">{open} </span>
      {title || mask(value)}
    </button>
    <CopyButton value={value} label={label} masked={mask(value) !== value} />
  </span>
)

/** A value to copy in a cell of a dense table: its middle is left out. */
export const CopyableValue = ({ value, label }: { value: string; label: string }) => (
  <CopyText value={value} label={label} />
)

/** A number whose middle is left out; the tooltip has all of it. */
export const MaskedNumber = ({ value }: { value: string }) => <span title={value}>{mask(value)}</span>

/**
 * The hash of a transaction in a dense table: its middle is left out, and it leads to a block explorer where there is
 * one.
 */
export const TransactionHashCell = ({ txid, url, label }: TransactionHashProps) =>
  txid === '' || url === '' ? (
    <CopyText value={txid} label={label} />
  ) : (
    <span className="inline-flex items-center gap-0.5">
      <OutsideLink href={url} title={txid} className="num whitespace-nowrap">
        {mask(txid)}
      </OutsideLink>
      <CopyButton value={txid} label={label} />
    </span>
  )
