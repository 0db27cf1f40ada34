/** A text with the part from one index to another marked, such as where two addresses differ. */
export const MarkedText = ({ text, from, to }: { text: string; from: number; to: number }) => (
  <>
    {text.slice(0, from)}
    <mark className="bg-bad-fill text-on-accent">{text.slice(from, to)}</mark>
    {text.slice(to)}
  </>
)
