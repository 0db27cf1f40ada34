/** @jsxImportSource preact */
import { linkClass } from '../ui/classes.ts'
import type { Words } from './words.ts'

/** Says that the server is a sandbox, and leads to the payer's wallet with this payment filled in. */
export const TestMode = ({ tradeNo, t }: { tradeNo: string; t: Words }) => (
  <aside
    aria-label={t.testMode}
    class="mb-3 flex flex-wrap items-center justify-between gap-x-4 rounded-lg border border-line bg-accent-soft px-5 py-1 text-[13px]"
  >
    <strong class="py-2 font-medium">{t.testMode}</strong>
    <span class="flex flex-wrap gap-x-4">
      <a class={`${linkClass} py-2`} href={`/sandbox?trade_no=${tradeNo}#wallet`} target="_blank" rel="noreferrer">
        {t.testWallet}
      </a>
      <a class={`${linkClass} py-2`} href="/sandbox#inbox" target="_blank" rel="noreferrer">
        {t.testInbox}
      </a>
      <a class={`${linkClass} py-2`} href="/sandbox#approval" target="_blank" rel="noreferrer">
        {t.testApproval}
      </a>
    </span>
  </aside>
)
