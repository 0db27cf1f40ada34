const shownFully = 2

/** A formatted amount, whose digits after the second decimal are quiet. It is selected and copied as one number. */
export function Digits({ text }: { text: string }) {
  const point = text.indexOf('.')
  const end = point + 1 + shownFully
  if (point < 0 || text.length <= end) return text
  return (
    <>
      {text.slice(0, end)}
      <span className="quiet-digits">{text.slice(end)}</span>
    </>
  )
}
