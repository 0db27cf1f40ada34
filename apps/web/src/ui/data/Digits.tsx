import { countProminentDecimals } from './computeAmountColumnStyle.ts'

/**
 * A formatted amount, whose digits after the second decimal are quiet, or after the second that says something where it
 * is below 1. It is selected and copied as one number.
 */
export function Digits({ text }: { text: string }) {
  const end = text.indexOf('.') + 1 + countProminentDecimals(text)
  if (!text.includes('.') || text.length <= end) return text
  return (
    <>
      {text.slice(0, end)}
      <span className="quiet-digits">{text.slice(end)}</span>
    </>
  )
}
