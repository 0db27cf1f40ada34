import type { ReactNode } from 'react'
import { LanguagePicker, ThemePicker } from '../kit/Pickers.tsx'
import { ProductLogo } from '../ui/ProductLogo.tsx'

/** The mark and the name of the product. */
export const Brand = ({ name }: { name: string }) => (
  <span className="flex items-center gap-2.5 text-base font-semibold tracking-tight">
    <ProductLogo />
    {name}
  </span>
)

/** A sign-in page: a header with language and theme, and a card. `below` is drawn below the card. */
export const Frame = ({ name, below, children }: { name: string; below?: ReactNode; children: ReactNode }) => (
  <>
    <header className="flex h-14 items-center justify-between px-4 sm:px-6">
      <Brand name={name} />
      <span className="flex items-center gap-1">
        <LanguagePicker />
        <ThemePicker />
      </span>
    </header>
    <main className="flex grow flex-col items-center px-4 pt-[6vh] pb-12">
      <div className="w-full max-w-[400px] rounded-lg border border-line bg-surface p-6 sm:p-8">{children}</div>
      {below}
    </main>
  </>
)
