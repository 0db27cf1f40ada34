import { CopyButton } from '../ui/data/CopyText.tsx'
import { formatFirstPaymentCommand } from './firstPayment.ts'

/** The command that creates a first payment at this server, to copy; `secretKey` makes it complete. */
export function FirstPaymentSnippet({ label, secretKey }: { label: string; secretKey?: string }) {
  const command = formatFirstPaymentCommand(location.origin, secretKey)
  return (
    <div className="flex items-start gap-1 rounded-md bg-sunken pr-1">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard */}
      <section aria-label={label} tabIndex={0} className="relative min-w-0 grow overflow-x-auto">
        <pre className="p-3 font-mono text-xs leading-5">{command}</pre>
      </section>
      <span className="pt-1.5">
        <CopyButton value={command} label={label} />
      </span>
    </div>
  )
}
