import { OutsideLink } from '../controls/Link.tsx'
import { CopyButton, CopyText, GroupedText } from './CopyText.tsx'

export interface TransactionHashProps {
  txid: string
  /** In a block explorer, or empty. */
  url: string
  label: string
}

/** The hash of a transaction, to copy; it leads to a block explorer where there is one. */
export function TransactionHash({ txid, url, label }: TransactionHashProps) {
  if (txid === '' || url === '') return <CopyText look="groups" value={txid} label={label} />
  return (
    <span className="inline-flex max-w-full items-start gap-0.5">
      <OutsideLink
        href={url}
        className="min-w-0 py-1 font-mono text-[13px] leading-5 pointer-coarse:-my-2 pointer-coarse:py-3"
      >
        <GroupedText value={txid} className="block [&>span]:text-accent-text" />
      </OutsideLink>
      <CopyButton value={txid} label={label} />
    </span>
  )
}
