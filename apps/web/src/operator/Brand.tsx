import { Mark } from '../ui/Mark.tsx'
import { useTexts } from './texts.ts'

export function Brand() {
  const t = useTexts()
  return (
    <span className="flex items-center gap-2.5 text-base font-semibold tracking-tight">
      <Mark />
      {t.title}
    </span>
  )
}
